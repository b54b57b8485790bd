//! Formats of names.

use crate::validate::names::*;
use crate::validate::report::Fault;

type Check = fn(&str) -> Result<(), Fault>;

fn formats(check: Check, accepted: &[&str], refused: &[&str]) {
    for text in accepted {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for text in refused {
        assert!(check(text).is_err(), "{text}");
    }
}

#[test]
fn dns_labels() {
    let (longest, longer) = ("a".repeat(63), "a".repeat(64));
    formats(
        dns_label,
        &["a", "0", "a-1", "a--1", &longest],
        &[
            "", "A", "-a", "a-", "a.b", "a_b", "a b", "ä", "a\n", &longer,
        ],
    );
    assert_eq!(
        dns_label("a_b"),
        Err(Fault::invalid(
            "expected a DNS label of lower-case letters, digits and `-`, found `a_b`"
        ))
    );
    assert_eq!(dns_label(&longer), Err(Fault::too_long(63, &longer)));
}

#[test]
fn dns_subdomains() {
    let (longest, longer) = ("a".repeat(253), "a".repeat(254));
    formats(
        dns_subdomain,
        &["a", "a.b", "1.2", "a-b.c-d", &longest],
        &["", ".", "a.", ".a", "a..b", "A.b", "a.-b", "a/b", &longer],
    );
}

#[test]
fn drivers() {
    let (longest, longer) = ("a".repeat(63), "a".repeat(64));
    formats(
        driver,
        &["gpu.example.com", "GPU.Example.com", &longest],
        &["", "a_b", "a/b", &longer],
    );
}

#[test]
fn pools() {
    let (longest, longer) = ("a".repeat(253), "a".repeat(254));
    formats(
        pool,
        &["node-1", "a/b", "a.b/c/d", &longest],
        &["", "/", "a/", "/a", "a//b", "A", &longer],
    );
}

#[test]
fn qualified_names() {
    let longest = format!("{}/{}", "d".repeat(63), "i".repeat(32));
    let domain = format!("{}/i", "d".repeat(64));
    let identifier = format!("d/{}", "i".repeat(33));
    formats(
        qualified,
        &[
            "a",
            "_a1",
            "modelName",
            "gpu.example.com/model",
            "GPU.example.com/Model",
            &longest,
        ],
        &[
            "",
            "1a",
            "a-b",
            "a.b",
            "/a",
            "d/",
            "d/e/f",
            "d_/a",
            &domain,
            &identifier,
        ],
    );
    formats(
        fully_qualified,
        &["d/a", &longest],
        &["", "a", "/a", "d/", "d/e/f", &identifier],
    );
    assert_eq!(
        fully_qualified("numa"),
        Err(Fault::invalid(
            "expected a domain and a name separated by `/`, found `numa`"
        ))
    );
}

#[test]
fn label_keys_and_values() {
    let (longest, longer) = ("a".repeat(63), "a".repeat(64));
    let domain = format!("{}/a", "d".repeat(253));
    let too_long = format!("{}/a", "d".repeat(254));
    formats(
        label_key,
        &["a", "A_b.c-1", "example.com/a", &longest, &domain],
        &[
            "",
            "-a",
            "a_",
            "/a",
            "a/",
            "a/b/c",
            "Example.com/a",
            "a b",
            &longer,
            &too_long,
        ],
    );
    formats(
        label_value,
        &["", "a", "A_b.c-1", &longest],
        &["-", "a/b", "a b", &longer],
    );
}

#[test]
fn extended_resources() {
    let longest = format!("{}/a", "d".repeat(244));
    let longer = format!("{}/a", "d".repeat(245));
    formats(
        extended_resource,
        &["example.com/gpu", &longest],
        &[
            "",
            "gpu",
            "kubernetes.io/gpu",
            "x.kubernetes.io/gpu",
            "requests.example.com/gpu",
            &longer,
        ],
    );
}

#[test]
fn uuids() {
    formats(
        uuid,
        &["00000000-0000-4000-8000-00000000000f"],
        &[
            "",
            "00000000-0000-4000-8000-00000000000F",
            "000000000000-4000-8000-00000000000f0",
            "00000000-0000-4000-8000-00000000000",
            "{0000000-0000-4000-8000-00000000000f",
        ],
    );
}

#[test]
fn versions() {
    let longest = format!("1.2.3-{}", "a".repeat(58));
    let longer = format!("1.2.3-{}", "a".repeat(59));
    formats(
        version,
        &[
            "0.0.0",
            "1.2.3",
            "1.2.3-0",
            "1.2.3-a-b.0a.-",
            "1.2.3+01.a-b",
            "1.0.0-x+y",
            &longest,
        ],
        &[
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            "01.2.3",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+",
            "1.2.3+a+b",
            "1.2.3+a_b",
            " 1.2.3",
            "1.2.-3",
            &longer,
        ],
    );
}

#[test]
fn user_text_stays_on_one_short_line() {
    let expected =
        "expected a DNS label of lower-case letters, digits and `-`, found `a\\n\\u{1b}é`";
    assert_eq!(dns_label("a\n\u{1b}é"), Err(Fault::invalid(expected)));
    assert_eq!(
        driver(&"é".repeat(40)),
        Err(Fault::too_long(63, &"é".repeat(40)))
    );
    let path = crate::validate::report::Path::root("labels");
    let long = "k".repeat(90);
    assert_eq!(
        path.key(&long).to_string(),
        format!("labels[{}...]", "k".repeat(80))
    );
}
