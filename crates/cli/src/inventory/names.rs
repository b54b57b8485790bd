//! Names of many nodes in a few words.

/// Returns the names of nodes as one text: a single name, `gpu-[001-800]` where they go on
/// without a gap, or else the first with how many there are.
///
/// Names are in order, and not none.
pub(super) fn together(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first, .., last] => match range(names) {
            Some((stem, end)) => format!(
                "{stem}[{}-{}]{}",
                &first[stem.len()..first.len() - end.len()],
                &last[stem.len()..last.len() - end.len()],
                end
            ),
            None => format!("{} nodes like {first}", names.len()),
        },
    }
}

/// Returns what is before and after the number, if names differ in one number of equal
/// length that counts up by one.
fn range<'n>(names: &[&'n str]) -> Option<(&'n str, &'n str)> {
    let (first, second) = (names.first()?, names.get(1)?);
    let differs = first
        .bytes()
        .zip(second.bytes())
        .position(|(one, other)| one != other)?;
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let before = first.as_bytes().get(..differs)?;
    let start = differs
        - before
            .iter()
            .rev()
            .take_while(|byte| is_digit(byte))
            .count();
    let digits = first.as_bytes()[start..]
        .iter()
        .take_while(|byte| is_digit(byte))
        .count();
    // Names may differ within a character: then it is no number.
    let (stem, end) = (first.get(..start)?, first.get(start + digits..)?);
    let number = |name: &str| -> Option<u64> {
        let rest = name.strip_prefix(stem)?.strip_suffix(end)?;
        let is_number = rest.len() == digits && rest.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { rest.parse().ok() } else { None }
    };
    let goes_on = names.windows(2).all(|pair| {
        let numbers = number(pair[0]).zip(number(pair[1]));
        numbers.is_some_and(|(one, other)| one.checked_add(1) == Some(other))
    });
    goes_on.then_some((stem, end))
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn runs_are_ranges_and_the_rest_is_counted() {
        for (names, expected) in [
            (&["gpu-7"][..], "gpu-7"),
            (&["gpu-098", "gpu-099", "gpu-100"], "gpu-[098-100]"),
            (&["rack-1-a", "rack-2-a"], "rack-[1-2]-a"),
            (&["gpu-1", "gpu-3"], "2 nodes like gpu-1"),
            (&["gpu-9", "gpu-10"], "2 nodes like gpu-9"),
            (&["alpha", "beta"], "2 nodes like alpha"),
            (&["ip-10-0-0-1", "ip-10-0-1-1"], "ip-10-0-[0-1]-1"),
            (
                &["ip-10-0-0-1", "ip-10-0-0-2", "ip-10-0-1-3"],
                "3 nodes like ip-10-0-0-1",
            ),
            // The two differ in the second byte of a character.
            (&["nœud-é", "nœud-è"], "2 nodes like nœud-é"),
            (&["é1-1", "é1-2"], "é1-[1-2]"),
            (
                &["n18446744073709551614", "n18446744073709551615"],
                "n[18446744073709551614-18446744073709551615]",
            ),
            (
                &["n18446744073709551615", "n18446744073709551610"],
                "2 nodes like n18446744073709551615",
            ),
        ] {
            assert_eq!(together(names), expected);
        }
    }
}
