//! The table of contents of the site has all pages, and the site all that they link to.

use std::collections::BTreeSet;
use std::path::Path;

use crate::links::{links, path};
use crate::{pages, read, root};

const SUMMARY: &str = "docs/SUMMARY.md";

/// Returns the pages of the site, in order.
fn contents() -> Vec<String> {
    let links = links(&read(SUMMARY));
    links.iter().map(|link| path(SUMMARY, link)).collect()
}

/// Returns the files and folders that `make site` copies.
fn copied() -> Vec<String> {
    let makefile = read("Makefile").replace("\\\n", " ");
    let names = makefile
        .lines()
        .find_map(|line| line.strip_prefix("SITE_FILES ="));
    names
        .unwrap()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_page_is_listed_once() {
    let contents = contents();
    let once: BTreeSet<_> = contents.iter().cloned().collect();
    assert_eq!(once.len(), contents.len(), "{contents:?}");
    let below_docs = once.iter().filter(|page| page.starts_with("docs/"));
    assert_eq!(below_docs.cloned().collect::<Vec<_>>(), pages());
}

#[test]
fn what_pages_of_the_site_link_to_is_in_the_site() {
    let (contents, copied) = (contents(), copied());
    for page in &contents {
        for link in links(&read(page)) {
            let target = link.split('#').next().unwrap();
            if link.starts_with("https://") || target.is_empty() {
                continue;
            }
            let to = path(page, target);
            assert!(root().join(&to).is_file(), "{page}: {link} is no file");
            let is_copied = |name: &String| Path::new(&to).starts_with(name);
            assert!(copied.iter().any(is_copied), "{page}: {link} is not copied");
            if Path::new(&to).extension().is_some_and(|end| end == "md") {
                assert!(
                    contents.contains(&to),
                    "{page}: {link} is not in the summary"
                );
            }
        }
    }
}
