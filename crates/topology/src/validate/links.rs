//! What is wrong with links.

use super::{Ids, positive, quoted, vertex};
use crate::document::{Link, LinkType, Vertex, VertexKind};
use crate::error::{Code, Error};

pub(super) fn links(links: &[Link], vertices: &[Vertex], ids: &Ids<'_>) -> Result<(), Error> {
    for (index, link) in links.iter().enumerate() {
        let at = |field: &str| format!("spec.links[{index}].{field}");
        let a = vertex(ids, || at("a"), &link.a)?;
        let b = vertex(ids, || at("b"), &link.b)?;
        if a == b {
            let found = quoted(&link.b);
            let message = format!("expected another vertex than {found} at the other end");
            return Err(Error::new(Code::Invalid, at("b"), message));
        }
        if let (Some(a), Some(b)) = (vertices.get(a), vertices.get(b))
            && !may_join(link.link_type, a.kind, b.kind)
        {
            let message = format!(
                "`{}` cannot join {}, a `{}`, and {}, a `{}`, expected {}",
                link.link_type.as_str(),
                quoted(&a.id),
                a.kind.as_str(),
                quoted(&b.id),
                b.kind.as_str(),
                expected(link.link_type),
            );
            return Err(Error::new(Code::Invalid, at("type"), message));
        }
        positive(|| at("count"), link.count)?;
        positive(|| at("generation"), link.generation)?;
        positive(|| at("tier"), link.tier)?;
    }
    Ok(())
}

/// Says whether a link of the type makes sense between the two.
fn may_join(link: LinkType, a: VertexKind, b: VertexKind) -> bool {
    use VertexKind::{Gpu, NumaNode, NvLinkDomain, NvSwitch, PcieSwitch};
    let switch = |kind| matches!(kind, NvSwitch | NvLinkDomain);
    match link {
        LinkType::NVLink | LinkType::NVSwitch | LinkType::XGMI => {
            (a == Gpu && (b == Gpu || switch(b))) || (b == Gpu && switch(a))
        }
        LinkType::NVSwitchTrunk => switch(a) && switch(b),
        LinkType::Sys => a == NumaNode && b == NumaNode,
        // Switch chips are PCIe devices too, which places nothing.
        LinkType::PCIe if a == NvSwitch || b == NvSwitch => true,
        _ => match (a.height(), b.height()) {
            (Some(low), Some(high)) => low != high || (a == PcieSwitch && b == PcieSwitch),
            _ => false,
        },
    }
}

fn expected(link: LinkType) -> &'static str {
    match link {
        LinkType::NVLink | LinkType::NVSwitch | LinkType::XGMI => {
            "a `gpu` and another, an `nvSwitch` or an `nvLinkDomain`"
        }
        LinkType::NVSwitchTrunk => "two of `nvSwitch` and `nvLinkDomain`",
        LinkType::Sys => "two of `numaNode`",
        _ => "a vertex and the place that it is in",
    }
}
