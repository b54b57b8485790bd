//! Expressions at the limits: of nesting, of length and of cost.

use super::device::RandomDevice;
use crate::generate::Random;

/// Returns an expression that goes to a limit, or just beyond it.
pub(super) fn extreme(device: &RandomDevice, minor: u32, random: &mut Random) -> String {
    // Before lists.range, lists are made by splitting.
    if random.chance(50) {
        nested(random)
    } else if minor < 34 || random.chance(50) {
        doubled(random)
    } else {
        looped(device, random)
    }
}

/// Nests or chains one construct about as often as parsers allow.
fn nested(random: &mut Random) -> String {
    let usual = [2, 10, 30, 47, 50, 82, 124, 249, 250, 251, 300];
    let count = usual[random.below(usual.len())];
    let repeat = |text: &str| text.repeat(count);
    let chain = |term: &str, operator: &str| vec![term; count].join(operator);
    match random.below(20) {
        0 => format!("{}true{}", repeat("("), repeat(")")),
        1 => format!("{}{} == []", repeat("["), repeat("]")),
        2 => format!("{}true", repeat("!")),
        3 => format!("{}true{}", repeat("!("), repeat(")")),
        4 => format!("{}1 == 1", repeat("-")),
        5 => format!("{}1{} == 1", repeat("-("), repeat(")")),
        6 => chain("true", " && "),
        7 => chain("false", " || "),
        8 => format!("{} == 3", chain("1", " + ")),
        9 => format!("{} == 3", chain("1", "+1*")),
        10 => format!("{{}}{} == 1", repeat(".a")),
        11 => format!("device.attributes[\"d\"]{} == 1", repeat(".a")),
        12 => format!("dyn([]){} == 1", repeat("[0]")),
        13 => format!("\"a\"{} == \"a\"", repeat(".trim()")),
        14 => format!("{}true{}", repeat("true ? "), repeat(" : false")),
        15 => format!("{}true", repeat("false ? false : ")),
        16 => format!("{}true{}", repeat("[1].all(x, "), repeat(")")),
        17 => format!("{}true{}", repeat("cel.bind(x, 1, "), repeat(")")),
        18 => format!("[{}].size() > 3", chain("1", ", ")),
        _ => format!("{}1{} == {{}}", repeat("{1: "), repeat("}")),
    }
}

/// Doubles a string or a list some times over.
fn doubled(random: &mut Random) -> String {
    let times = random.between(1, 14);
    let (start, end) = *[
        ("\"abcdefgh\"", "size(s) > 5"),
        ("\"aaaaaaaa\"", "s.contains(\"b\")"),
        ("\"aaaaaaaa\"", "s.matches(\"a*b\")"),
        ("\"aaaaaaaa\"", "s.split(\"\").size() > 3"),
        ("\"abababab\"", "s.replace(\"a\", \"bb\") == s"),
        ("\"héhéhéhé\"", "s.indexOf(\"x\") < 0 && s == s + \"\""),
        ("[1, 2, 3]", "s.all(x, x > 0)"),
        ("[1, 2, 3]", "5 in s"),
        ("[1, 2, 3]", "s == s"),
        ("[3, 1, 2]", "s.sort().size() > 3"),
        ("[\"a\", \"b\"]", "s.join(\"-\").size() > 3"),
        ("[1, 1]", "s.distinct() == [1]"),
        ("[3, 4]", "sets.contains(s, s)"),
    ]
    .get(random.below(13))
    .unwrap_or(&("\"\"", "size(s) > 5"));
    let mut text = end.to_owned();
    for _ in 0..times {
        text = format!("cel.bind(s, s + s, {text})");
    }
    format!("cel.bind(s, {start}, {text})")
}

/// Nests loops so that the limit on cost is near.
fn looped(device: &RandomDevice, random: &mut Random) -> String {
    let domain = device.driver();
    let body = match random.below(6) {
        0 => "a + b >= 0".to_owned(),
        1 => format!("device.attributes[\"{domain}\"].all(k, k != \"\")"),
        2 => "[a, b].map(c, c * 2).sum() >= 0".to_owned(),
        3 => "string(a).matches(\"[0-9]+\")".to_owned(),
        4 => format!("has(device.attributes[\"{domain}\"].index)"),
        _ => "lists.range(3).transformMap(i, v, v).size() == 3".to_owned(),
    };
    let (outer, inner) = (random.between(1, 40), random.between(1, 40));
    let name = random.pick(&["all", "exists_one", "map", "filter"]);
    let end = if matches!(name, "map" | "filter") {
        ".size() > 0"
    } else {
        ""
    };
    let inner_name = random.pick(&["all", "exists"]);
    format!("lists.range({outer}).{name}(a, lists.range({inner}).{inner_name}(b, {body})){end}")
}
