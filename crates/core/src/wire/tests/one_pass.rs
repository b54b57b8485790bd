//! Objects that say first what they are are read in one pass, with what is known
//! of the devices before; those that say it last are not. Both must say the same.

use super::*;
use crate::wire::Fault;

/// Draws numbers that are the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }

    /// Draws the first text nearly always.
    fn mostly<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        match self.below(40) {
            0 => self.of(texts),
            _ => texts[0],
        }
    }
}

const VALUES: [&str; 7] = [
    r#"{"string":"Hopper"}"#,
    r#"{"string":"a b"}"#,
    r#"{"int":1}"#,
    r#"{"int":12}"#,
    r#"{"bool":true}"#,
    r#"{"version":"1.2.3"}"#,
    r#"{ "strings" : ["a", "b"] }"#,
];

const ODD_VALUES: [&str; 16] = [
    r#"{"int":1}"#,
    r#"{"int":null}"#,
    r#"{"int":1,"int":2}"#,
    r#"{"int":1,"string":"a"}"#,
    r#"{"int":1,"kind":"a"}"#,
    r#"{"int":1,"apiVersion":"a"}"#,
    r#"{"int":1,"items":[]}"#,
    r#"{"int":1,"typo":{"a":[1]}}"#,
    r#"{"int":"1"}"#,
    r#"{"int":1x}"#,
    r#"{"int":2e0}"#,
    r#"{"string":"\u0041"}"#,
    r#"{"string":"\ud800"}"#,
    r#"{"string":"\q"}"#,
    "null",
    "7",
];

const AMOUNTS: [&str; 12] = [
    r#"{"value":"1Gi"}"#,
    r#"{"value":"1024Mi"}"#,
    r#"{"value":1.50}"#,
    r#"{"value":"1Gi","requestPolicy":{"default":"1Mi","validRange":{"min":"1Mi"}}}"#,
    r#"{"value":"1Gi","requestPolicy":null}"#,
    r#"{"value":"1Gi","requestPolicy":{"typo":1}}"#,
    r#"{"value":"1Gb"}"#,
    r#""1Gi""#,
    "12",
    "null",
    "[]",
    "{}",
];

const KEYS: [&str; 6] = [
    "architecture",
    "index",
    "example.com/model",
    "\\u0061",
    "",
    "é",
];

fn map(draw: &mut Draw, values: impl Fn(&mut Draw) -> &'static str) -> String {
    let mut entries = Vec::new();
    for (place, key) in ["architecture", "index", "uuid", "zone"].iter().enumerate() {
        let key = if draw.below(60) == 0 {
            draw.of(&KEYS)
        } else {
            key
        };
        let space = draw.mostly(&["", " ", "\n  "]);
        if draw.below(30) > 0 {
            entries.push(format!("{space}\"{key}\":{space}{}", values(draw)));
        }
        if place == 2 && draw.below(30) == 0 {
            entries.reverse();
        }
    }
    format!("{{{}}}", entries.join(","))
}

fn device(draw: &mut Draw) -> String {
    let attributes = map(draw, |draw| match draw.below(40) {
        0 => draw.of(&ODD_VALUES),
        _ => draw.of(&VALUES),
    });
    let capacity = map(draw, |draw| draw.mostly(&AMOUNTS));
    let attributes = match draw.below(60) {
        0 => "null".to_owned(),
        1 => "[]".to_owned(),
        _ => attributes,
    };
    let mut fields = vec![
        format!(r#""attributes":{attributes}"#),
        format!(r#""capacity":{capacity}"#),
    ];
    match draw.below(50) {
        0 => fields.push(fields[0].clone()),
        1 => fields.push(r#""taints":[{"key":"a","efect":"NoSchedule"}]"#.to_owned()),
        2 => fields.push(r#""allowMultipleAllocations":true"#.to_owned()),
        3 => fields.push(r#""atributes":{}"#.to_owned()),
        4 => fields.reverse(),
        _ => {}
    }
    fields.join(",")
}

/// Returns the fields of a slice, and what it is.
fn body(draw: &mut Draw) -> (String, String) {
    let version = draw.mostly(&["v1", "v1beta2", "v1beta1", "v0"]);
    let kind = draw.mostly(&["ResourceSlice", "resourceSlice", "ConfigMap"]);
    let devices: Vec<_> = (0..draw.below(5))
        .map(|index| {
            let fields = device(draw);
            match version {
                "v1beta1" => format!(r#"{{"name":"gpu-{index}","basic":{{{fields}}}}}"#),
                _ => format!(r#"{{{fields},"name":"gpu-{index}"}}"#),
            }
        })
        .collect();
    let more = draw.mostly(&["", r#","kind2":1"#, r#","items":[]"#, r#","spec":{}"#]);
    let body = format!(
        r#""metadata":{{"name":"a"}},"spec":{{"devices":[{}]}}{more}"#,
        devices.join(",")
    );
    let types = format!(r#""apiVersion":"resource.k8s.io/{version}","kind":"{kind}""#);
    (body, types)
}

/// Writes one object twice: once it says first what it is, once last, and all
/// else is at the same places.
fn both(body: &str, types: &str) -> (String, String) {
    let space = " ".repeat(types.len() + 1);
    (
        format!("{{{types},{body}}}{space}"),
        format!("{{{space}{body},{types}}}"),
    )
}

fn all(decoder: &mut Decoder, json: &str) -> Vec<Result<Decoded, Fault>> {
    let mut all = Vec::new();
    let result = decoder.decode_each(json, &mut |result| {
        all.push(result);
        Ok(())
    });
    result.unwrap();
    all
}

/// Also shows what equality passes over, such as how amounts are written.
fn print(results: &[Result<Decoded, Fault>]) -> String {
    format!("{results:#?}")
}

#[test]
fn what_is_read_in_one_pass_is_what_is_read_in_two() {
    let mut draw = Draw(7);
    let (mut fine, mut warned, mut faulty) = (0, 0, 0);
    for is_strict in [false, true] {
        let mut one = Decoder::new().strict(is_strict);
        let mut two = Decoder::new().strict(is_strict);
        for _ in 0..1500 {
            let (body, types) = body(&mut draw);
            let (first, last) = both(&body, &types);
            let (read, expected) = (all(&mut one, &first), all(&mut two, &last));
            assert_eq!(read, expected, "{first}");
            assert_eq!(print(&read), print(&expected), "{first}");
            for result in &read {
                match result {
                    Ok(decoded) if decoded.warnings.is_empty() => fine += 1,
                    Ok(_) => warned += 1,
                    Err(_) => faulty += 1,
                }
            }
        }
    }
    assert!(
        fine > 500 && warned > 100 && faulty > 100,
        "{fine} {warned} {faulty}"
    );
}

#[test]
fn lists_whose_kind_comes_last_are_read_as_others_are() {
    let mut draw = Draw(8);
    let mut fine = 0;
    for _ in 0..400 {
        let items: Vec<_> = (0..draw.below(4))
            .map(|_| {
                let (body, types) = body(&mut draw);
                both(&body, &types).0
            })
            .collect();
        let items = format!(r#""items":[{}]"#, items.join(","));
        let version = draw.mostly(&[r#""apiVersion":"v1""#, r#""apiVersion":"v2""#]);
        let kind = draw.mostly(&[
            r#""kind":"List""#,
            r#""kind":"NodeList""#,
            r#""kind":"Node""#,
            r#""kind":null"#,
            r#""kind":"List","kind":"List""#,
            r#""kind":"List","metadata":1x"#,
        ]);
        let space = " ".repeat(version.len() + 1);
        let guessed = format!("{{{version},{items},{kind}}}");
        let plain = format!("{{{space}{items},{version},{kind}}}");
        let read = all(&mut Decoder::new(), &guessed);
        let mut expected = all(&mut Decoder::new(), &plain);
        // What follows the items is at another place.
        for fault in expected
            .iter_mut()
            .filter_map(|result| result.as_mut().err())
        {
            if fault.offset > space.len() + items.len() {
                fault.offset -= space.len();
            }
        }
        assert_eq!(print(&read), print(&expected), "{guessed}");
        fine += read.iter().filter(|result| result.is_ok()).count();
    }
    assert!(fine > 100, "{fine}");
}

#[test]
fn brackets_count_from_the_start_of_the_list() {
    for (depth, is_fine) in [(9_997, true), (9_998, true), (9_999, false)] {
        let deep = "[".repeat(depth) + &"]".repeat(depth);
        let node = format!(r#"{{"apiVersion":"v1","kind":"Node","a":{deep}}}"#);
        let guessed = format!(r#"{{"apiVersion":"v1","items":[{node}],"kind":"List"}}"#);
        let plain = format!(r#"{{"items":[{node}],"apiVersion":"v1","kind":"List"}}"#);
        for text in [guessed, plain] {
            let read = all(&mut Decoder::new(), &text);
            assert_eq!(read.iter().all(Result::is_ok), is_fine, "{depth}");
        }
    }
}
