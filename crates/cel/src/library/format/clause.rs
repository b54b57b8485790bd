//! The syntax of format strings.

/// A part of a format string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Text(&'t str),
    Clause(Verb, Option<u64>),
}

/// How a clause writes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    String,
    Decimal,
    Fixed,
    Scientific,
    Binary,
    Hexadecimal,
    UpperHexadecimal,
    Octal,
}

impl Verb {
    fn of(letter: u8) -> Option<Self> {
        Some(match letter {
            b's' => Self::String,
            b'd' => Self::Decimal,
            b'f' => Self::Fixed,
            b'e' => Self::Scientific,
            b'b' => Self::Binary,
            b'x' => Self::Hexadecimal,
            b'X' => Self::UpperHexadecimal,
            b'o' => Self::Octal,
            _ => return None,
        })
    }

    /// What it can be used on, and how it is called.
    pub(crate) fn expectation(self) -> &'static str {
        match self {
            Self::String => {
                "`%s` expected text, a number, a boolean, bytes, a time, a type, a list or a map"
            }
            Self::Decimal => "`%d` expected an integer",
            Self::Fixed => "`%f` expected a number",
            Self::Scientific => "`%e` expected a number",
            Self::Binary => "`%b` expected an integer or a boolean",
            Self::Hexadecimal => "`%x` expected an integer, text or bytes",
            Self::UpperHexadecimal => "`%X` expected an integer, text or bytes",
            Self::Octal => "`%o` expected an integer",
        }
    }
}

/// The parts of a format string, each with the number of the argument it takes.
pub(crate) struct Pieces<'t> {
    rest: &'t str,
    arguments: usize,
    used: usize,
}

impl<'t> Pieces<'t> {
    pub(crate) fn new(text: &'t str, arguments: usize) -> Self {
        Self {
            rest: text,
            arguments,
            used: 0,
        }
    }

    /// Number of clauses so far.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Returns the next part; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Piece<'t>>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let Some(clause) = self.rest.strip_prefix('%') else {
            let (text, rest) = self
                .rest
                .split_at(self.rest.find('%').unwrap_or(self.rest.len()));
            self.rest = rest;
            return Ok(Some(Piece::Text(text)));
        };
        if let Some(rest) = clause.strip_prefix('%') {
            self.rest = rest;
            return Ok(Some(Piece::Text("%")));
        }
        if clause.is_empty() {
            return Err("unexpected end of the format string after `%`".to_owned());
        }
        if self.used >= self.arguments {
            return Err(format!("no argument for clause {}", self.used + 1));
        }
        self.used += 1;
        let (precision, clause) = precision(clause)?;
        let letter = clause.chars().next().unwrap_or_default();
        let verb = u8::try_from(letter).ok().and_then(Verb::of);
        let verb = verb.ok_or_else(|| format!("unknown clause `%{letter}`"))?;
        self.rest = &clause[letter.len_utf8()..];
        Ok(Some(Piece::Clause(verb, precision)))
    }
}

/// Reads `.3`, if it is there.
fn precision(text: &str) -> Result<(Option<u64>, &str), String> {
    let Some(rest) = text.strip_prefix('.') else {
        return Ok((None, text));
    };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at(length);
    let precision = digits.parse::<i64>().ok().map(i64::unsigned_abs);
    if precision.is_none() || rest.is_empty() {
        return Err("expected digits and a letter after `.` in a format string".to_owned());
    }
    Ok((precision, rest))
}
