//! Why nothing fits.

use super::*;

#[test]
fn a_level_that_nothing_publishes_is_the_reason() {
    let root = |name: &str| {
        json!({"name": name, "attributes":
            {"resource.kubernetes.io/pcieRoot": {"string": "pci0000:01"}}})
    };
    let world = World::new(vec![root("a")], vec![json!({"name": "d"})]);
    let both = claim(&[("gpu", 1), ("nic", 1)], &required("pcieRoot"));
    assert_eq!(
        world.explain(&both),
        "2 requests need `pcieRoot` equal; the largest group has 1; no release would help"
    );
}
