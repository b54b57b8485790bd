//! The shapes of the families: what a node has, what is held and what is asked.

use dralloc::model::{DeviceClass, DeviceId, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::from_json;
use dralloc::{Change, Engine, Features, Held};
use dralloc_testkit::partitions::{self, Model};

pub(crate) const NODE: &str = partitions::NODE;
const GPU: &str = partitions::DRIVER;
const NIC: &str = "dra.net";

/// Is a question to one node, with the answer that it has.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
    pub(crate) claim: ResourceClaim,
    pub(crate) fits: bool,
}

impl Shape {
    fn new(name: &'static str, fits: bool, slices: Vec<ResourceSlice>, claim: &str) -> Self {
        let mut engine = Engine::new(Features::all());
        let class = format!(
            r#"{{"metadata":{{"name":"gpu"}},"spec":{{"selectors":[
            {{"cel":{{"expression":"device.driver == '{GPU}'"}}}}]}}}}"#
        );
        let class: DeviceClass = from_json(&class).unwrap_or_default();
        let nics: DeviceClass = from_json(
            &serde_json::to_string(&class)
                .unwrap_or_default()
                .replace(GPU, NIC)
                .replace(r#""name":"gpu""#, r#""name":"nic""#),
        )
        .unwrap_or_default();
        let changes = [
            Change::Node(Node::new(NODE, [])),
            Change::DeviceClass(class),
            Change::DeviceClass(nics),
        ];
        let slices = slices.into_iter().map(Change::ResourceSlice);
        for change in changes.into_iter().chain(slices) {
            assert!(engine.apply(change).is_ok(), "{name}");
        }
        let claim = format!(
            r#"{{"metadata":{{"name":"{name}","namespace":"default"}},"spec":{{"devices":{claim}}}}}"#
        );
        let claim = from_json(&claim).unwrap_or_default();
        Self {
            name,
            engine,
            claim,
            fits,
        }
    }

    fn holding(mut self, held: Held) -> Self {
        assert!(self.engine.apply(Change::Held(held)).is_ok());
        self
    }
}

fn slice(driver: &str, devices: &[String]) -> ResourceSlice {
    let json = format!(
        r#"{{"metadata":{{"name":"{driver}"}},"spec":{{"driver":"{driver}","nodeName":"{NODE}",
        "pool":{{"name":"{NODE}","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}}"#,
        devices.join(",")
    );
    from_json(&json).unwrap_or_default()
}

/// Returns devices with a root and an island each.
fn devices(count: usize, name: &str, island: impl Fn(usize) -> usize) -> Vec<String> {
    let device = |number: usize| {
        format!(
            r#"{{"name":"{name}-{number}","attributes":{{"island":{{"int":{}}},
            "resource.kubernetes.io/pcieRoot":{{"string":"pci0000:{number:02x}"}}}}}}"#,
            island(number)
        )
    };
    (0..count).map(device).collect()
}

fn exactly(name: &str, class: &str, count: usize, more: &str) -> String {
    format!(
        r#"{{"name":"{name}","exactly":{}}}"#,
        asked(class, count, more)
    )
}

fn asked(class: &str, count: usize, more: &str) -> String {
    format!(
        r#"{{"deviceClassName":"{class}","allocationMode":"ExactCount","count":{count}{more}}}"#
    )
}

fn claim(requests: &[String], constraints: &[String]) -> String {
    let (requests, constraints) = (requests.join(","), constraints.join(","));
    format!(r#"{{"requests":[{requests}],"constraints":[{constraints}]}}"#)
}

/// Family b: eight pairs of GPU and NIC by root, on a free node and one NIC short.
pub(crate) fn pairs() -> Vec<Shape> {
    let of = |name, nics: usize| {
        let slices = vec![
            slice(GPU, &devices(9, "gpu", |_| 0)),
            // Where they are short, one NIC more has a root without a GPU.
            slice(NIC, &devices(10, "nic", |_| 0)[10 - nics..]),
        ];
        let request = |place: usize| {
            let (gpu, nic) = (format!("gpu-{place}"), format!("nic-{place}"));
            [exactly(&gpu, "gpu", 1, ""), exactly(&nic, "nic", 1, "")]
        };
        let constraint = |place: usize| {
            format!(
                r#"{{"requests":["gpu-{place}","nic-{place}"],
                "matchAttribute":"resource.kubernetes.io/pcieRoot"}}"#
            )
        };
        let requests: Vec<String> = (0..8).flat_map(request).collect();
        let constraints: Vec<String> = (0..8).map(constraint).collect();
        Shape::new(name, nics > 8, slices, &claim(&requests, &constraints))
    };
    vec![of("free", 9), of("one_short", 8)]
}

fn profile(name: &str, count: usize, profile: &str) -> String {
    let more = format!(
        r#","selectors":[{{"cel":{{"expression":
        "device.attributes['{GPU}'].?profile.orValue('') == '{profile}'"}}}}]"#
    );
    exactly(name, "gpu", count, &more)
}

fn whole(names: impl Iterator<Item = String>) -> Held {
    let mut held = Held::default();
    let ids = names.map(|name| DeviceId::new(GPU, NODE, name));
    held.devices.extend(ids);
    held
}

/// Five of eight cards are whole, three have one small instance.
fn nearly_full() -> Held {
    let whole_cards = (0..5).map(|card| format!("gpu-{card}-mig-7g80gb-0-0"));
    let small = (5..8).map(|card| format!("gpu-{card}-mig-1g10gb-19-{}", 2 * (card - 5)));
    whole(whole_cards.chain(small))
}

/// Family c: partitions of eight cards.
pub(crate) fn partitions() -> Vec<Shape> {
    let of = |name, fits, counts: [usize; 3]| {
        let slices = partitions::slices(Model::H100, 8).unwrap_or_default();
        let profiles = ["3g.40gb", "2g.20gb", "1g.10gb"];
        let asked = counts.iter().zip(profiles).enumerate();
        let asked = asked.filter(|(_, (count, _))| **count > 0);
        let requests: Vec<String> = asked
            .map(|(place, (count, name))| profile(&format!("r{place}"), *count, name))
            .collect();
        Shape::new(name, fits, slices, &claim(&requests, &[]))
    };
    vec![
        of("tight", true, [8, 16, 0]),
        of("one_too_many", false, [8, 16, 1]),
        of("nearly_full", true, [2, 4, 2]).holding(nearly_full()),
    ]
}

/// Family d: what counting decides.
pub(crate) fn counting() -> Vec<Shape> {
    let gpus =
        |count, island: &dyn Fn(usize) -> usize| vec![slice(GPU, &devices(count, "gpu", island))];
    let island = [format!(r#"{{"matchAttribute":"{GPU}/island"}}"#)];
    let of = |count| [exactly("gpu", "gpu", count, "")];
    let low = format!(
        r#","selectors":[{{"cel":{{"expression":"device.attributes['{GPU}'].island == 0"}}}}]"#
    );
    vec![
        Shape::new("17_of_16", false, gpus(16, &|_| 0), &claim(&of(17), &[])),
        Shape::new(
            "groups_of_16",
            false,
            gpus(128, &|gpu| gpu / 15),
            &claim(&of(16), &island),
        ),
        Shape::new(
            "last_island",
            true,
            gpus(128, &|gpu| gpu.min(119) / 15),
            &claim(&of(16), &island),
        ),
        Shape::new(
            "overlap",
            false,
            gpus(24, &|gpu| gpu / 12),
            &claim(
                &[
                    exactly("any", "gpu", 13, ""),
                    exactly("low", "gpu", 12, &low),
                ],
                &[],
            ),
        ),
    ]
}

/// Family e: of eight alternatives only the last fits.
pub(crate) fn alternatives() -> Vec<Shape> {
    let of = |name, requests: usize, most: usize, gpus: usize| {
        let request = |place: usize| {
            let alternative = |rank: usize| {
                asked("gpu", most - rank, "").replacen('{', &format!(r#"{{"name":"s{rank}","#), 1)
            };
            let alternatives: Vec<String> = (0..8).map(alternative).collect();
            format!(
                r#"{{"name":"r{place}","firstAvailable":[{}]}}"#,
                alternatives.join(",")
            )
        };
        let requests: Vec<String> = (0..requests).map(request).collect();
        let slices = vec![slice(GPU, &devices(gpus, "gpu", |_| 0))];
        Shape::new(name, true, slices, &claim(&requests, &[]))
    };
    vec![of("counts", 1, 23, 16), of("four_requests", 4, 9, 8)]
}

/// Family f: quarters of 1,000 cards, of which none or the first 900 are full.
pub(crate) fn shares() -> Vec<Shape> {
    let device = |number: usize| {
        format!(
            r#"{{"name":"gpu-{number}","allowMultipleAllocations":true,"capacity":{{
            "memory":{{"value":"80Gi","requestPolicy":{{"default":"80Gi",
            "validRange":{{"min":"1Gi","step":"1Gi","max":"80Gi"}}}}}}}}}}"#
        )
    };
    let of = |name, requests: usize, full: usize| {
        let devices: Vec<String> = (0..1000).map(device).collect();
        let more = r#","capacity":{"requests":{"memory":"20Gi"}}"#;
        let request = |place| exactly(&format!("r{place}"), "gpu", 1, more);
        let requests: Vec<String> = (0..requests).map(request).collect();
        let mut held = Held::default();
        for number in 0..full {
            let name = format!("gpu-{number}");
            let id = DeviceId::new(GPU, NODE, name.as_str());
            held.shares.push((id.clone(), name.as_str().into()));
            let taken = from_json(r#"{"memory":"80Gi"}"#).unwrap_or_default();
            held.consumed_capacity.push((id, taken));
        }
        Shape::new(
            name,
            true,
            vec![slice(GPU, &devices)],
            &claim(&requests, &[]),
        )
        .holding(held)
    };
    vec![
        of("one_empty", 1, 0),
        of("eight_empty", 8, 0),
        of("one_90_full", 1, 900),
        of("eight_90_full", 8, 900),
    ]
}
