//! The slices of cards in `testdata` are those that the generator makes.

#![allow(clippy::unwrap_used, reason = "tests end where they fail")]

use std::fs;
use std::path::Path;

use dralloc::{Features, validate};
use dralloc_testkit::partitions::{self, Model};

#[test]
fn the_files_are_what_the_generator_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/partitions");
    for model in Model::EVERY {
        let file = folder.join(format!("{}.json", model.as_str()));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, partitions::text(model, 1), "{}", file.display());
    }
}

#[test]
fn an_api_server_would_take_the_slices() {
    for model in Model::EVERY {
        for (cards, count) in [(1, 2), (2, 2), (3, 3), (8, 5), (9, 6)] {
            let slices = partitions::slices(model, cards).unwrap();
            assert_eq!(slices.len(), count, "{model:?}, {cards} cards");
            for slice in &slices {
                let errors = validate::resource_slice(slice, &Features::all());
                assert_eq!(errors, [], "{model:?}");
            }
        }
    }
}
