//! [`Mesh`]: the fabric of a machine as masks.

use super::Shape;

/// Has the links of a machine, by device.
#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) size: usize,
    /// Whom each device has links to.
    pub(super) neighbours: Vec<u16>,
    /// Whom each device shares switches with.
    pub(super) switched: Vec<u16>,
    /// One side of the devices, where all links lead from one side to the other.
    pub(super) side: Option<u16>,
}

impl Mesh {
    /// Returns the mesh of at most 16 devices.
    pub(super) fn new(shape: &Shape) -> Self {
        let (size, part) = (shape.size, &shape.part);
        let devices: Vec<usize> = (0..size).collect();
        let mask = |of: &dyn Fn(usize, usize) -> bool, a: usize| {
            let linked = devices.iter().filter(|&&b| a != b && of(a, b));
            linked.fold(0_u16, |mask, b| mask | 1 << b)
        };
        let linked = |a: usize, b: usize| part.pair(a, b) > 0;
        let switched = |a: usize, b: usize| part.is_switched(a, b);
        let neighbours: Vec<u16> = devices.iter().map(|&a| mask(&linked, a)).collect();
        Self {
            size,
            side: side(&neighbours),
            switched: devices.iter().map(|&a| mask(&switched, a)).collect(),
            neighbours,
        }
    }
}

/// Returns one side of the devices, if no link joins two of the same side.
fn side(neighbours: &[u16]) -> Option<u16> {
    let (mut seen, mut side) = (0_u16, 0_u16);
    for start in 0..neighbours.len() {
        if seen >> start & 1 == 1 {
            continue;
        }
        seen |= 1 << start;
        let mut open = vec![start];
        while let Some(device) = open.pop() {
            let on_side = side >> device & 1 == 1;
            let next = neighbours[device];
            let same = if on_side { side } else { seen & !side };
            if next & same != 0 {
                return None;
            }
            let new = next & !seen;
            seen |= new;
            if !on_side {
                side |= new;
            }
            open.extend((0..neighbours.len()).filter(|other| new >> other & 1 == 1));
        }
    }
    Some(side)
}
