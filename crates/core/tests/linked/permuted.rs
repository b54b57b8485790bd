//! Neither names nor orders of devices change how good the best answer is.

use dralloc::Policy;
use dralloc_testkit::generate::Random;
use serde_json::{Value, json};

use crate::known::{best, claim, engine, read, values};

/// Gives the devices of a document other ids, and vertices and links another order.
fn permuted(document: &Value, random: &mut Random) -> Value {
    let mut document = document.clone();
    let vertices = document["spec"]["vertices"].as_array().unwrap();
    let ids = vertices.iter().filter(|vertex| vertex["kind"] == "gpu");
    let ids: Vec<String> = ids
        .map(|vertex| vertex["id"].as_str().unwrap().to_owned())
        .collect();
    let mut others = ids.clone();
    random.shuffle(&mut others);
    let rename = |value: &mut Value| {
        let place = ids.iter().position(|id| *value == **id);
        if let Some(place) = place {
            *value = json!(others[place]);
        }
    };
    let spec = document["spec"].as_object_mut().unwrap();
    for vertex in spec["vertices"].as_array_mut().unwrap() {
        rename(&mut vertex["id"]);
    }
    for link in spec["links"].as_array_mut().unwrap() {
        rename(&mut link["a"]);
        rename(&mut link["b"]);
    }
    for list in ["vertices", "links"] {
        random.shuffle(spec[list].as_array_mut().unwrap());
    }
    document
}

#[test]
fn orders_and_names_do_not_count() {
    let mut random = Random::new(8);
    for name in [
        "a100-pcie-x8-bridge-pairs",
        "dgx1-v100",
        "hgx-b200-gpu2-nvlink-down",
        "hgx-h100-pix-pairs",
        "mi200-8p-hypercube",
        "mi250x-8gcd-frontier-class",
    ] {
        let document = read(name);
        let all = |document: &Value| -> Vec<Vec<i64>> {
            let snapshot = engine(document).snapshot();
            let best = |size: usize| {
                let mut transaction = snapshot.transaction();
                values(&best(
                    &mut transaction,
                    &claim("c", size),
                    &Policy::Affinity,
                ))
            };
            (1..=8).map(best).collect()
        };
        let expected = all(&document);
        for _ in 0..3 {
            assert_eq!(all(&permuted(&document, &mut random)), expected, "{name}");
        }
    }
}
