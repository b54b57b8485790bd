//! Addresses on the PCI bus.

/// Returns an address as Kubernetes and Linux write it (`0000:0f:00.0`); none for what
/// is no address.
///
/// Tools write the domain with 4 to 8 digits or leave it out, and letters in either case.
pub(crate) fn bus_id(text: &str) -> Option<String> {
    let (front, function) = text.rsplit_once('.')?;
    let mut parts = front.rsplit(':');
    let (device, bus) = (parts.next()?, parts.next()?);
    let domain = parts.next().unwrap_or("0");
    if parts.next().is_some() {
        return None;
    }
    let number = |text: &str, digits: usize| {
        let is_hex = text.chars().all(|digit| digit.is_ascii_hexdigit());
        let fits = is_hex && (1..=digits).contains(&text.len());
        u32::from_str_radix(text, 16).ok().filter(|_| fits)
    };
    let (domain, bus) = (number(domain, 8)?, number(bus, 2)?);
    let (device, function) = (number(device, 2)?, number(function, 1)?);
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}.{function:x}"))
}

#[cfg(test)]
mod tests {
    use super::bus_id;

    #[test]
    fn addresses_have_one_form() {
        for (text, expected) in [
            ("0000:0f:00.0", Some("0000:0f:00.0")),
            ("00000000:0F:00.0", Some("0000:0f:00.0")),
            ("0F:00.0", Some("0000:0f:00.0")),
            ("fffffff:ff:ff.0", Some("fffffff:ff:ff.0")),
            ("0009:06:00.0", Some("0009:06:00.0")),
            ("123456789:06:00.0", None),
            ("0:0000:06:00.0", None),
            ("+9:06:00.0", None),
            ("06:00", None),
            ("", None),
        ] {
            assert_eq!(bus_id(text).as_deref(), expected, "{text}");
        }
    }
}
