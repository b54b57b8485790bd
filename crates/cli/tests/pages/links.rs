//! Links of the pages lead to files, and to headings that are there.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::blocks::prose;
use crate::{pages, read, root};

/// Pages outside of `docs`.
const OTHERS: [&str; 5] = [
    "README.md",
    "ARCHITECTURE.md",
    "COMPATIBILITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

/// Returns the targets of links and pictures of a page.
pub(crate) fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let targets = prose.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// Returns the path that a link of a page names, in the repository.
pub(crate) fn path(page: &str, target: &str) -> String {
    let mut path = PathBuf::new();
    let folder = Path::new(page).parent().unwrap();
    for component in folder.join(target).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{page}: {target} is outside"),
            other => path.push(other),
        }
    }
    path.to_str().unwrap().to_owned()
}

/// Returns what the headings of a page are called in links.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut is_block = false;
    for line in page.lines() {
        is_block ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if is_block || heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let heading = heading.trim().to_lowercase();
        let kept = heading.chars().filter_map(|next| match next {
            ' ' => Some('-'),
            '-' | '_' => Some(next),
            _ => next.is_alphanumeric().then_some(next),
        });
        anchors.insert(kept.collect());
    }
    anchors
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for page in OTHERS.iter().map(ToString::to_string).chain(pages()) {
        for link in links(&read(&page)) {
            if link.starts_with("https://") {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = if target.is_empty() {
                page.clone()
            } else {
                path(&page, target)
            };
            assert!(root().join(&to).exists(), "{page}: no {link}");
            if !anchor.is_empty() {
                assert!(anchors(&read(&to)).contains(anchor), "{page}: no {link}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn links_and_headings_are_found() {
    let page = "# A `b` c\n[x](a.md#d) ![y](e.svg) `[no](no.md)`\n```\n[no](no.md)\n# no\n```\n\
                ## What-if, again\n[over\nlines](f.md)\n";
    assert_eq!(links(page), ["a.md#d", "e.svg", "f.md"]);
    let expected = ["a-b-c", "what-if-again"].map(str::to_owned);
    assert_eq!(anchors(page), BTreeSet::from(expected));
    assert_eq!(path("docs/commands/x.md", "../../README.md"), "README.md");
}
