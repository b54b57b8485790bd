//! Topology files of NCCL and RCCL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{error, sample, topology, warnings};
use dralloc_importers::Source;
use dralloc_topology::{Convention, Rate};

const SOURCE: Source = Source::Nccl;

#[test]
fn a_board_with_switch_chips_has_its_levels_and_rates() {
    let imported = sample(SOURCE, "hgx-h200-8.xml");
    assert_eq!(warnings(&imported), [""; 0]);
    let topology = topology(&imported);
    assert_eq!((topology.device_count(), topology.nic_count()), (8, 4));
    assert_eq!(topology.level(0, 7).to_string(), "NV18");
    assert_eq!(
        topology.port(0).unwrap().rate,
        Some(Rate::from_thousandths(450_000))
    );
    for device in 0..8 {
        for nic in 0..4 {
            let expected = match (device / 2 == nic, device / 4 == nic / 2) {
                (true, _) => "PIX",
                (false, true) => "NODE",
                _ => "SYS",
            };
            assert_eq!(topology.nic_level(device, nic).to_string(), expected);
        }
    }
    // 32 GT/s on 16 lanes, 128 bits as 130; the NIC has 400 Gbit/s.
    let rate = |device, nic| topology.nic_bandwidth(device, nic).unwrap().to_string();
    assert_eq!(rate(0, 0), "50");
    let nccl = topology.clone().with_convention(Convention::Nccl);
    assert_eq!(nccl.nic_level(0, 1).to_string(), "PHB");
    let vertex = topology.device(1).unwrap();
    let found = vertex.matches.as_ref().unwrap();
    assert_eq!(found.attribute, "resource.kubernetes.io/pciBusID");
    assert_eq!((&*vertex.id, &*found.value), ("gpu1", "0000:3b:00.0"));
    assert_eq!(topology.nic(3).unwrap().name.as_deref(), Some("mlx5_3"));
}

#[test]
fn direct_links_are_one_each_and_switches_are_nested() {
    let imported = sample(SOURCE, "dgx-1-nested.xml");
    assert_eq!(warnings(&imported), [""; 0]);
    let topology = topology(&imported);
    let rows: Vec<String> = (0..4)
        .map(|a| {
            (0..8)
                .map(|b| topology.level(a, b).to_string() + " ")
                .collect()
        })
        .collect();
    assert_eq!(
        rows,
        [
            "X NV1 NV1 NV2 NV2 SYS SYS SYS ",
            "NV1 X NV2 NV1 SYS NV2 SYS SYS ",
            "NV1 NV2 X NV2 SYS SYS NV1 SYS ",
            "NV2 NV1 NV2 X SYS SYS SYS NV1 ",
        ]
    );
    assert_eq!(
        topology.wire(0, 3).unwrap().rate,
        Some(Rate::from_thousandths(50_000))
    );
    assert_eq!(topology.pcie_level(0, 1).to_string(), "PIX");
    assert_eq!(topology.pcie_level(0, 2).to_string(), "NODE");
    // 8 GT/s on 16 lanes.
    let links = &imported.document.spec.links;
    let up = links.iter().find(|link| link.a == "pcieswitch0").unwrap();
    assert_eq!(
        (&*up.b, up.bandwidth.unwrap().to_string()),
        ("numa0", "15.753".to_owned())
    );
    assert_eq!(
        links
            .iter()
            .filter(|link| link.link_type.as_str() == "NVLink")
            .count(),
        16
    );
}

#[test]
fn virtual_machines_trays_and_files_of_clouds_are_read() {
    let imported = sample(SOURCE, "virtual-machine-4.xml");
    assert_eq!(topology(&imported).level(0, 3).to_string(), "NV18");
    assert_eq!(warnings(&imported), [""; 0]);

    let imported = sample(SOURCE, "gb300-tray-one-unlinked.xml");
    let tray = topology(&imported);
    assert_eq!(tray.level(0, 2).to_string(), "NV18");
    assert_eq!(tray.level(0, 1).to_string(), "NODE");
    let c2c = imported
        .document
        .spec
        .links
        .iter()
        .find(|link| link.link_type.as_str() == "C2C");
    let c2c = c2c.unwrap();
    assert_eq!((&*c2c.a, &*c2c.b, c2c.count), ("gpu0", "numa0", Some(5)));
    assert_eq!(c2c.bandwidth.unwrap().to_string(), "223.56");
    // 64 GT/s on 16 lanes, in flits.
    let nic = imported
        .document
        .spec
        .links
        .iter()
        .find(|link| link.a == "nic0")
        .unwrap();
    assert_eq!(nic.bandwidth.unwrap().to_string(), "121");

    let cloud = topology(&sample(SOURCE, "cloud-by-hand.xml"));
    assert_eq!((cloud.device_count(), cloud.nic_count()), (4, 4));
    assert_eq!(cloud.nic_level(1, 1).to_string(), "PIX");
    assert_eq!(cloud.nic_level(1, 0).to_string(), "NODE");

    let xgmi = topology(&sample(SOURCE, "mi250x-4.xml"));
    assert_eq!(xgmi.level(0, 1).to_string(), "XGMI4");
    assert_eq!(
        xgmi.wire(0, 1).unwrap().rate,
        Some(Rate::from_thousandths(200_000))
    );
    assert_eq!(xgmi.level(0, 3).to_string(), "PHB");
}

#[test]
fn odd_files_are_told() {
    let imported = sample(SOURCE, "two-hosts-odd.xml");
    assert_eq!(
        warnings(&imported)[..4],
        [
            "6:9: a link that leads back to its own device is passed over",
            "7:9: a link to `0042:06:00.0` is passed over, since no device has it",
            "9:7: another `gpu` of one device is passed over",
            "11:5: a `pci` of class `0x010802` is passed over",
        ]
    );
    let topology = topology(&imported);
    assert_eq!(topology.level(0, 1).to_string(), "NV18");
    assert_eq!(topology.pcie_level(0, 1).to_string(), "NET");
    // One address on two hosts binds neither.
    assert_eq!(topology.device(0).unwrap().matches, None);
    assert_eq!(topology.device(1).unwrap().id, "host1-gpu0");
    let text = "<system><cpu numaid='0'>\n\
        <pci busid='1:00.0' class='0x03'><gpu><nvlink target='2:00.0' count='3'/></gpu></pci>\n\
        <pci busid='2:00.0' class='0x03'><gpu><nvlink target='1:00.0' count='2'/></gpu></pci>\n\
        </cpu></system>";
    let imported = dralloc_importers::import(SOURCE, text).unwrap();
    assert_eq!(
        warnings(&imported),
        ["3:39: `gpu1` has 2 links to `gpu0`, which has 3 back, the fewer count"]
    );
    assert_eq!(common::topology(&imported).level(0, 1).to_string(), "NV2");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_wrong_is_said_with_line_and_column() {
    let inside = |text: &str| format!("<system>\n<cpu numaid=\"0\">\n{text}\n</cpu>\n</system>");
    let gpu = |text: &str| {
        inside(&format!(
            "<pci busid=\"0000:01:00.0\" class=\"0x030200\"><gpu>{text}</gpu></pci>"
        ))
    };
    let nic = |text: &str| {
        inside(&format!(
            "<pci busid=\"0000:01:00.0\" class=\"0x020000\"><nic>{text}</nic></pci>"
        ))
    };
    let below_a_switch = |way: &str| {
        inside(&format!(
            "<pci busid=\"0000:01:00.0\" class=\"0x060400\">\n\
             <pci busid=\"0000:02:00.0\" class=\"0x030200\" {way}><gpu/></pci></pci>"
        ))
    };
    for (text, expected) in [
        (
            String::new(),
            "malformed 1:1: expected `<system>`, found no element",
        ),
        (
            "text".to_owned(),
            "malformed 1:5: expected `<system>`, found no element",
        ),
        (
            "\n <topology/>".to_owned(),
            "malformed 2:2: expected one `system` around all, found `topology`",
        ),
        (
            "<system/>\n<system/>".to_owned(),
            "malformed 2:1: expected one `system` around all, found `system`",
        ),
        (
            "<system>\n <cpu numaid=\"0\">".to_owned(),
            "malformed 2:18: expected the end of `cpu`, found the end",
        ),
        (inside("<gpu/>"), "invalid 3:1: expected `gpu` in `pci`"),
        (
            below_a_switch("link_speed=\"12 GT/s\" link_width=\"16\""),
            "invalid 4:56: expected a speed such as `16.0 GT/s PCIe`, found `12 GT/s`",
        ),
        (
            below_a_switch("link_speed=\"16 bananas\" link_width=\"16\""),
            "invalid 4:56: expected a speed such as `16.0 GT/s PCIe`, found `16 bananas`",
        ),
        (
            below_a_switch("link_speed=\"16 GT/s\" link_width=\"x16\""),
            "invalid 4:77: expected a number, found `x16`",
        ),
        (inside(" <net/>"), "invalid 3:2: expected `net` in `nic`"),
        (inside("<cpu/>"), "invalid 3:1: expected `cpu` in `system`"),
        (
            gpu("<pci/>"),
            "invalid 3:49: expected `pci` in `cpu` or `pci`",
        ),
        (
            inside("<pci class=\"0x030200\"/>"),
            "malformed 3:1: expected attribute `busid` of `pci`",
        ),
        (
            inside("<pci class=\"0x030200\" busid=\"01:00\"/>"),
            "invalid 3:30: expected an address such as `0000:0f:00.0`, found `01:00`",
        ),
        (
            inside(
                "<pci class=\"0x03\" busid=\"1:0.0\"/>\n<pci class=\"0x03\" busid=\"01:00.0\"/>",
            ),
            "duplicate 4:26: address `0000:01:00.0` is there already, expected each device once",
        ),
        (
            gpu("<nvlink count=\"2\"/>"),
            "malformed 3:49: expected attribute `target` of `nvlink`",
        ),
        (
            gpu("<nvlink target=\"2:00.0\"/>"),
            "malformed 3:49: expected attribute `count` of `nvlink`",
        ),
        (
            gpu("<nvlink target=\"2:00.0\" count=\"many\"/>"),
            "invalid 3:80: expected a number, found `many`",
        ),
        (
            gpu("<nvlink target=\"2:00.0\" count=\"1000001\"/>"),
            "invalid 3:80: expected 1 to 1000000 links",
        ),
        (
            gpu("<c2c bw=\"1\" count=\"0\"/>"),
            "invalid 3:68: expected 1 to 1000000 links",
        ),
        (
            gpu("<c2c bw=\"18446744073709551615\" count=\"2\"/>"),
            "invalid 3:58: expected at most 1000000 GB/s",
        ),
        (
            nic("<net speed=\"9000000000\"/>"),
            "invalid 3:61: expected at most 1000000 GB/s",
        ),
        (
            nic("<net speed=\"fast\"/>"),
            "invalid 3:61: expected a number, found `fast`",
        ),
        (
            inside("<pci busid=1/>"),
            "malformed 3:12: expected a value in quotes",
        ),
        (
            inside("<pci busid=\"1\" busid=\"1\"/>"),
            "malformed 3:16: expected each attribute once",
        ),
        (
            inside("<pci busid=\"&boom;\"/>"),
            "malformed 3:13: expected text of an attribute: at 1..5: unrecognized entity `boom`",
        ),
        (
            inside("<pci>\n</gpu>"),
            "malformed 4:1: expected XML: ill-formed document: expected `</pci>`, but `</gpu>` \
             was found",
        ),
        (
            "<system>\n <pci".to_owned(),
            "malformed 2:2: expected XML: syntax error: tag not closed: `>` not found before end \
             of input",
        ),
    ] {
        assert_eq!(error(SOURCE, &text), expected, "{text}");
    }
    let deep = format!("<system>{}", "<later>".repeat(300));
    assert_eq!(
        error(SOURCE, deep),
        "limit-exceeded 1:1794: expected elements at most 256 deep"
    );
    let bomb = "<!DOCTYPE system [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n\
                <system><cpu numaid=\"&b;\"/></system>";
    assert_eq!(
        error(SOURCE, bomb),
        "malformed 2:22: expected text of an attribute: at 1..2: unrecognized entity `b`"
    );
}
