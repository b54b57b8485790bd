//! [`Plan`]: a document, read once more.

use dralloc_topology::{Link, LinkType, Spec, Vertex, VertexKind};

/// Is a document with each link once, and with the place that each vertex is in.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) vertices: Vec<Vertex>,
    /// Whether it is what devices publish of themselves.
    pub(super) is_published: bool,
    pub(super) joints: Vec<Joint>,
    pub(super) parents: Vec<Option<usize>>,
}

/// Is what both ends say of a link of one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) ends: (usize, usize),
    pub(super) kind: LinkType,
    pub(super) count: i128,
    /// In thousandths of GB/s, of all links together.
    pub(super) rate: Option<i128>,
}

impl Plan {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut plan = Self {
            vertices: spec.vertices.clone(),
            ..Self::default()
        };
        for link in &spec.links {
            plan.add(link);
        }
        plan.parents = (0..plan.vertices.len())
            .map(|vertex| plan.parent(vertex))
            .collect();
        plan.nest_switches();
        plan
    }

    /// Of two reports of one link the weaker counts.
    fn add(&mut self, link: &Link) {
        let find = |id: &str| self.vertices.iter().position(|vertex| vertex.id == id);
        let (Some(a), Some(b)) = (find(&link.a), find(&link.b)) else {
            return;
        };
        let new = Joint {
            ends: (a.min(b), a.max(b)),
            kind: link.link_type,
            count: i128::from(link.count.unwrap_or(1)),
            rate: link.bandwidth.map(|rate| i128::from(rate.thousandths())),
        };
        let mut known = self.joints.iter_mut();
        let Some(known) = known.find(|known| known.ends == new.ends && known.kind == new.kind)
        else {
            self.joints.push(new);
            return;
        };
        let count = known.count.min(new.count);
        let left = [*known, new];
        let left = left.map(|joint| joint.rate.map(|rate| rate * count / joint.count));
        known.rate = left.into_iter().flatten().min();
        known.count = count;
    }

    /// Returns the links of a vertex and where they lead.
    pub(super) fn links(&self, vertex: usize) -> impl Iterator<Item = (usize, &Joint)> {
        self.joints
            .iter()
            .filter_map(move |joint| match joint.ends {
                (a, b) if a == vertex => Some((b, joint)),
                (a, b) if b == vertex => Some((a, joint)),
                _ => None,
            })
    }

    /// Returns the lowest place that a link leads up to, or the host that is named.
    fn parent(&self, vertex: usize) -> Option<usize> {
        let own = height(self.vertices[vertex].kind)?;
        let above = self.links(vertex).filter(|(_, joint)| leads_up(joint.kind));
        let above = above.filter_map(|(other, _)| {
            let height = height(self.vertices[other].kind)?;
            (height > own).then_some((height, other))
        });
        if let Some((_, place)) = above.min() {
            return Some(place);
        }
        let host = self.vertices[vertex].host.as_ref().filter(|_| own < 3)?;
        self.vertices
            .iter()
            .position(|other| other.kind == VertexKind::Host && other.id == *host)
    }

    /// Puts switches below those that are nearer to a NUMA node.
    fn nest_switches(&mut self) {
        let is_switch = |vertex: &usize| self.vertices[*vertex].kind == VertexKind::PcieSwitch;
        let switches: Vec<usize> = (0..self.vertices.len()).filter(is_switch).collect();
        let mut placed: Vec<usize> = switches.clone();
        placed.retain(|switch| self.parents[*switch].is_some());
        let mut next = 0;
        loop {
            while next < placed.len() {
                let switch = placed[next];
                next += 1;
                let mut below: Vec<usize> = self.links(switch).map(|(other, _)| other).collect();
                below.sort_unstable();
                for other in below {
                    if switches.contains(&other) && !placed.contains(&other) {
                        self.parents[other] = Some(switch);
                        placed.push(other);
                    }
                }
            }
            match switches.iter().find(|switch| !placed.contains(switch)) {
                Some(root) => placed.push(*root),
                None => return,
            }
        }
    }

    /// Returns a vertex and the places around it.
    pub(super) fn up(&self, vertex: usize) -> Vec<usize> {
        let mut places = vec![vertex];
        while let Some(parent) = self.parents[places[places.len() - 1]] {
            places.push(parent);
        }
        places
    }

    /// Returns the nearest place of a kind around a vertex.
    pub(super) fn nearest(&self, vertex: usize, kind: VertexKind) -> Option<usize> {
        let mut places = self.up(vertex).into_iter();
        places.find(|place| self.vertices[*place].kind == kind)
    }

    /// Returns the number of the level of two vertices over `PCIe`: `X` 0, `PIX` 1, `PXB`
    /// 2, `PHB` 3, `NODE` 4, `SYS` 5, `NET` 6.
    pub(super) fn level(&self, a: usize, b: usize) -> usize {
        if a == b {
            return 0;
        }
        let is_xgmi = self.joints.iter().any(|joint| joint.kind == LinkType::XGMI);
        let node = if is_xgmi { 3 } else { 4 };
        let (up_a, up_b) = (self.up(a), self.up(b));
        let meet = up_a.iter().find(|place| up_b.contains(place)).copied();
        let kind = meet.map(|meet| self.vertices[meet].kind);
        if kind == Some(VertexKind::PcieSwitch) {
            let below = |up: &[usize]| {
                let below = up.iter().take_while(|place| Some(**place) != meet);
                let switches =
                    below.filter(|place| self.vertices[**place].kind == VertexKind::PcieSwitch);
                switches.count()
            };
            return if below(&up_a) + below(&up_b) == 0 {
                1
            } else {
                2
            };
        }
        if kind == Some(VertexKind::NumaNode) {
            return node;
        }
        let hosts = [a, b].map(|vertex| self.nearest(vertex, VertexKind::Host));
        if hosts[0] != hosts[1] {
            return if hosts.contains(&None) { 5 } else { 6 };
        }
        let number = |vertex: usize| {
            let number = self.vertices[vertex]
                .numa_node
                .filter(|number| *number >= 0);
            number.filter(|_| self.nearest(vertex, VertexKind::NumaNode).is_none())
        };
        if number(a).is_some() && number(a) == number(b) {
            return node;
        }
        5
    }
}

fn leads_up(kind: LinkType) -> bool {
    use LinkType::{C2C, Host, NVLinkCPU, NVLinkTray, NetTier, PCIe, Tray};
    matches!(
        kind,
        PCIe | C2C | NVLinkCPU | Host | Tray | NVLinkTray | NetTier
    )
}

fn height(kind: VertexKind) -> Option<usize> {
    use VertexKind::{Block, Fabric, Gpu, Host, Nic, NumaNode, NvLinkDomain, NvSwitch, PcieSwitch};
    match kind {
        Gpu | Nic => Some(0),
        PcieSwitch => Some(1),
        NumaNode => Some(2),
        Host => Some(3),
        NvLinkDomain => Some(4),
        Block => Some(5),
        Fabric => Some(6),
        NvSwitch => None,
    }
}
