//! From text to the parts of a URL, as Go's `net/url` takes it apart.

use super::super::quote::quote;
use super::address;
use super::escape::Part;

/// The parts of a URL. What was percent encoded can be no UTF-8.
#[derive(Clone, Debug, Default)]
pub(crate) struct Url {
    /// In lower case.
    pub(super) scheme: String,
    /// What follows a scheme without a slash.
    opaque: String,
    user: Option<User>,
    pub(super) host: Vec<u8>,
    path: Vec<u8>,
    /// The path as it was written, where encoding it anew gives another one.
    raw_path: Option<String>,
    /// A question mark without anything after it.
    has_empty_query: bool,
    pub(super) query: String,
    fragment: Vec<u8>,
    raw_fragment: Option<String>,
    /// A path follows the scheme directly, `file:/path`.
    omits_host: bool,
}

impl Url {
    /// Returns the number of bytes in its parts, about.
    pub(crate) fn length(&self) -> usize {
        let raw = [&self.raw_path, &self.raw_fragment];
        let raw: usize = raw.into_iter().flatten().map(String::len).sum();
        let user = self.user.as_ref().map_or(0, |user| {
            user.name.len() + user.password.as_ref().map_or(0, Vec::len)
        });
        let texts = self.scheme.len() + self.opaque.len() + self.query.len();
        texts + raw + user + self.host.len() + self.path.len() + self.fragment.len()
    }
}

#[derive(Clone, Debug)]
struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

/// How texts are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// Whether a host of `http` and `https` may have one colon only; since
    /// Go 1.26, with which Kubernetes 1.36 is built.
    pub(crate) strict_colons: bool,
}

/// Says what is wrong with the text of a request's target: a URL with a scheme
/// or an absolute path. None if nothing is.
pub(crate) fn complaint(text: &str, dialect: Dialect) -> Option<String> {
    let message = parse(text, true, dialect).err()?;
    Some(format!("parse {}: {message}", quote(text.as_bytes())))
}

/// Reads a URL with a scheme or an absolute path.
pub(super) fn absolute(text: &str, dialect: Dialect) -> Result<Url, String> {
    if let Some(complaint) = complaint(text, dialect) {
        return Err(complaint);
    }
    // The target of a request has no fragment, so a second look finds it.
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let located = |message| format!("parse {}: {message}", quote(before.as_bytes()));
    let mut url = parse(before, false, dialect).map_err(located)?;
    if !fragment.is_empty() {
        url.set_fragment(fragment)
            .map_err(|message| format!("parse {}: {message}", quote(text.as_bytes())))?;
    }
    Ok(url)
}

fn parse(text: &str, is_request: bool, dialect: Dialect) -> Result<Url, String> {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text.is_empty() && is_request {
        return Err("empty url".to_owned());
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, mut rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let has_scheme = !scheme.is_empty();
    match rest.split_once('?') {
        Some((before, "")) => {
            url.has_empty_query = true;
            rest = before;
        }
        Some((before, query)) => {
            query.clone_into(&mut url.query);
            rest = before;
        }
        None => {}
    }
    if !rest.starts_with('/') {
        if has_scheme {
            rest.clone_into(&mut url.opaque);
            return Ok(url);
        }
        if is_request {
            return Err("invalid URI for request".to_owned());
        }
        let segment = rest.split('/').next().unwrap_or_default();
        if segment.contains(':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    if (has_scheme || !is_request && !rest.starts_with("///"))
        && let Some(authority) = rest.strip_prefix("//")
    {
        let (authority, path) = authority.split_at(authority.find('/').unwrap_or(authority.len()));
        url.set_authority(authority, dialect)?;
        rest = path;
    } else if has_scheme {
        url.omits_host = true;
    }
    url.set_path(rest)?;
    Ok(url)
}

/// Splits off the scheme; empty if there is none.
fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..index], &text[index + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

impl Url {
    fn set_authority(&mut self, authority: &str, dialect: Dialect) -> Result<(), String> {
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        self.host = parse_host(&self.scheme, host, dialect)?;
        let Some(user) = user else {
            return Ok(());
        };
        let is_valid = user
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte));
        if !is_valid {
            return Err("net/url: invalid userinfo".to_owned());
        }
        let (name, password) = match user.split_once(':') {
            Some((name, password)) => (name, Some(password)),
            None => (user, None),
        };
        let decode = |text: &str| Part::UserInfo.decode(text.as_bytes());
        self.user = Some(User {
            name: decode(name)?,
            password: password.map(decode).transpose()?,
        });
        Ok(())
    }

    fn set_path(&mut self, text: &str) -> Result<(), String> {
        self.path = Part::Path.decode(text.as_bytes())?;
        let same = Part::Path.encode(&self.path) == text.as_bytes();
        self.raw_path = (!same).then(|| text.to_owned());
        Ok(())
    }

    fn set_fragment(&mut self, text: &str) -> Result<(), String> {
        self.fragment = Part::Fragment.decode(text.as_bytes())?;
        let same = Part::Fragment.encode(&self.fragment) == text.as_bytes();
        self.raw_fragment = (!same).then(|| text.to_owned());
        Ok(())
    }

    /// Returns the path in encoded form: as it was written if that is valid.
    pub(super) fn encoded_path(&self) -> Vec<u8> {
        match &self.raw_path {
            Some(raw) if Part::Path.is_encoded(raw.as_bytes()) => raw.as_bytes().to_vec(),
            _ if self.path == b"*" => b"*".to_vec(),
            _ => Part::Path.encode(&self.path),
        }
    }

    fn encoded_fragment(&self) -> Vec<u8> {
        match &self.raw_fragment {
            Some(raw) if Part::Fragment.is_encoded(raw.as_bytes()) => raw.as_bytes().to_vec(),
            _ => Part::Fragment.encode(&self.fragment),
        }
    }

    /// Returns the host without the port and without brackets, and the port.
    pub(super) fn host_and_port(&self) -> (&[u8], &[u8]) {
        let mut host = self.host.as_slice();
        let mut port: &[u8] = b"";
        if let Some(colon) = host.iter().rposition(|byte| *byte == b':')
            && is_optional_port(&host[colon..])
        {
            port = &host[colon + 1..];
            host = &host[..colon];
        }
        let bare = host
            .strip_prefix(b"[")
            .and_then(|inner| inner.strip_suffix(b"]"));
        (bare.unwrap_or(host), port)
    }

    /// Returns the URL written anew; two with the same text are equal.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        if !self.scheme.is_empty() {
            text.extend_from_slice(self.scheme.as_bytes());
            text.push(b':');
        }
        if self.opaque.is_empty() {
            self.push_hierarchy(&mut text);
        } else {
            text.extend_from_slice(self.opaque.as_bytes());
        }
        if self.has_empty_query || !self.query.is_empty() {
            text.push(b'?');
            text.extend_from_slice(self.query.as_bytes());
        }
        if !self.fragment.is_empty() {
            text.push(b'#');
            text.append(&mut self.encoded_fragment());
        }
        text
    }

    fn push_hierarchy(&self, text: &mut Vec<u8>) {
        let has_authority = !self.host.is_empty() || self.user.is_some();
        if (!self.scheme.is_empty() && !self.omits_host) || has_authority {
            if has_authority || !self.path.is_empty() {
                text.extend_from_slice(b"//");
            }
            if let Some(user) = &self.user {
                text.append(&mut Part::UserInfo.encode(&user.name));
                if let Some(password) = &user.password {
                    text.push(b':');
                    text.append(&mut Part::UserInfo.encode(password));
                }
                text.push(b'@');
            }
            text.append(&mut Part::Host.encode(&self.host));
        }
        let mut path = self.encoded_path();
        if !self.host.is_empty() && !path.is_empty() && !path.starts_with(b"/") {
            text.push(b'/');
        }
        if text.is_empty() {
            let segment = path.split(|byte| *byte == b'/').next();
            if segment.is_some_and(|segment| segment.contains(&b':')) {
                text.extend_from_slice(b"./");
            }
        }
        text.append(&mut path);
    }
}

fn parse_host(scheme: &str, host: &str, dialect: Dialect) -> Result<Vec<u8>, String> {
    match host.rfind('[') {
        Some(0) => return parse_bracketed(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    let first = host.find(':');
    let colon = if matches!(scheme, "http" | "https") && dialect.strict_colons {
        first
    } else {
        host.rfind(':')
    };
    if let Some(colon) = colon {
        check_port(&host[colon..])?;
    }
    Part::Host.decode(host.as_bytes())
}

/// Reads an IPv6 address in brackets and the port after it.
fn parse_bracketed(host: &str) -> Result<Vec<u8>, String> {
    let close = host
        .rfind(']')
        .ok_or_else(|| "missing ']' in host".to_owned())?;
    let port = &host[close + 1..];
    check_port(port)?;
    let mut port = Part::Host.decode(port.as_bytes())?;
    let name = host.get(1..close).unwrap_or_default();
    let name = match name.find("%25") {
        Some(zone) => {
            let mut decoded = Part::Host.decode(&name.as_bytes()[..zone])?;
            decoded.append(&mut Part::Zone.decode(&name.as_bytes()[zone..])?);
            decoded
        }
        None => Part::Host.decode(name.as_bytes())?,
    };
    let family = address::family(&name).map_err(|message| format!("invalid host: {message}"))?;
    if family == address::Family::V4 {
        return Err("invalid IP-literal".to_owned());
    }
    let mut host = b"[".to_vec();
    host.extend_from_slice(&name);
    host.push(b']');
    host.append(&mut port);
    Ok(host)
}

fn is_optional_port(text: &[u8]) -> bool {
    match text.split_first() {
        None => true,
        Some((first, digits)) => *first == b':' && digits.iter().all(u8::is_ascii_digit),
    }
}

fn check_port(text: &str) -> Result<(), String> {
    if is_optional_port(text.as_bytes()) {
        return Ok(());
    }
    let shown = quote(text.as_bytes());
    Err(format!("invalid port {shown} after host"))
}
