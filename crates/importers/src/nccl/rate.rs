//! Rates of links.

use dralloc_topology::{Code, Rate};

use super::element::Element;
use crate::error::Error;
use crate::text::quoted;

/// The fastest rate of a document, in thousandths of GB/s.
const LARGEST: u64 = 1_000_000_000;

/// Returns the rate of the way from a `pci` to what it is in: `link_speed` times
/// `link_width`, less the encoding; none where one of them is not told, as of virtual
/// machines (empty, `0`, or `Unknown` and more).
///
/// 2.5 and 5 GT/s send 8 bits as 10, up to 32 GT/s 128 as 130, and 64 GT/s has 242 of 256
/// bytes of a flit for what is sent: 15.753 GB/s for 16 lanes of the third generation.
///
/// # Errors
///
/// For a speed that `PCIe` does not have, and for a width that is no number.
pub(super) fn pcie(pci: &Element<'_>) -> Result<Option<Rate>, Error> {
    let width = if is_told(pci, "link_width") {
        pci.number::<u64>("link_width")?
    } else {
        None
    };
    let text = pci.text("link_speed").trim();
    if !is_told(pci, "link_speed") {
        return Ok(None);
    }
    let speed = text.strip_suffix("PCIe").map_or(text, str::trim_end);
    let speed = speed.strip_suffix("GT/s").map_or("", str::trim_end);
    let (sent, of) = match speed {
        "2.5" | "5" | "5.0" => (8, 10),
        "8" | "8.0" | "16" | "16.0" | "32" | "32.0" => (128, 130),
        "64" | "64.0" | "128" | "128.0" => (242, 256),
        _ => {
            let position = pci.attribute("link_speed").map(|found| found.position);
            let message = format!(
                "expected a speed such as `16.0 GT/s PCIe`, found {}",
                quoted(text)
            );
            return Err(Error::new(
                Code::Invalid,
                position.unwrap_or(pci.position),
                message,
            ));
        }
    };
    let Some(width) = width else {
        return Ok(None);
    };
    let (whole, tenths) = speed.split_once('.').unwrap_or((speed, "0"));
    let tenths: u64 = format!("{whole}{tenths}").parse().unwrap_or(0);
    // Tenths of Gbit/s to MB/s: a hundred Mbit/s, eight to a byte.
    let rate = tenths * 100 * width.min(64) * sent / of / 8;
    Ok((rate > 0).then(|| Rate::from_thousandths(rate)))
}

/// Says whether an attribute of a way tells something.
fn is_told(pci: &Element<'_>, name: &str) -> bool {
    let text = pci.text(name).trim();
    !(text.is_empty() || text == "0" || text.starts_with("Unknown"))
}

/// Returns the rate of a NIC, which is told in Mbit/s.
pub(super) fn net(net: &Element<'_>) -> Result<Option<Rate>, Error> {
    let speed: Option<i64> = net.number("speed")?;
    let speed = speed.and_then(|speed| u64::try_from(speed).ok());
    match speed.filter(|&speed| speed > 0) {
        Some(speed) if speed / 8 <= LARGEST => Ok(Some(Rate::from_thousandths(speed / 8))),
        Some(_) => Err(too_fast(net, "speed")),
        None => Ok(None),
    }
}

/// Returns the rate of so many links chip to chip, of which each is told in MB/s.
pub(super) fn c2c(c2c: &Element<'_>, count: u32) -> Result<Option<Rate>, Error> {
    let Some(rate) = c2c.number::<u64>("bw")? else {
        return Ok(None);
    };
    match rate.checked_mul(u64::from(count)) {
        Some(rate) if rate <= LARGEST => Ok(Some(Rate::from_thousandths(rate))),
        _ => Err(too_fast(c2c, "bw")),
    }
}

fn too_fast(element: &Element<'_>, name: &str) -> Error {
    let found = element.attribute(name);
    let position = found.map_or(element.position, |found| found.position);
    Error::new(Code::Invalid, position, "expected at most 1000000 GB/s")
}

/// Returns generation and rate of one `NVLink` of a device, by its compute capability.
pub(super) fn nv_link(gpu: &Element<'_>) -> Option<(i64, Rate)> {
    let (generation, rate) = match gpu.text("sm") {
        "60" => (1, 20),
        "70" | "72" => (2, 25),
        "80" => (3, 25),
        "90" => (4, 25),
        "100" | "103" => (5, 50),
        _ => return None,
    };
    Some((generation, Rate::from_thousandths(rate * 1000)))
}

/// Returns the rate of one xGMI link of a device, by its architecture.
pub(super) fn xgmi(gpu: &Element<'_>) -> Option<Rate> {
    let rate = match gpu.text("gcn") {
        "gfx906" | "gfx908" => 46,
        "gfx90a" => 50,
        "gfx940" | "gfx941" | "gfx942" => 64,
        _ => return None,
    };
    Some(Rate::from_thousandths(rate * 1000))
}
