//! Random selectors: well-typed and ill-typed ones, each with a device.
//!
//! A seed stands for one [`RandomSelector`]. Most are built from the types
//! inwards, so that they compile, and read what the device has, so that many
//! evaluate without an error: operators, literals, every macro and function of
//! the environment, attributes that are there and that are not. Some have
//! mistakes built in, some are damaged as text, some go to the limits of
//! nesting and cost. One in ten has a cost limit of its own, which is low.
//!
//! Kubernetes visits the keys of a map in random order. Selectors that loop
//! over maps with two keys and more are rare, but they occur: what compares
//! has to ask several times. Names that are published both bare and with the
//! domain of the driver, one of which Kubernetes picks by chance, do not occur.
//! Neither do lists that take gigabytes, which Kubernetes would make.

mod device;
mod extreme;
mod functions;
mod hostile;
mod literal;
mod mutate;
mod signature;
mod text;
mod tokens;
mod types;
mod writer;

#[cfg(test)]
mod tests;

use crate::generate::Random;

pub use device::RandomDevice;
pub use hostile::hostile;
pub use tokens::tokens;

use types::Type;
use writer::Writer;

/// The longest expression that the API takes, in bytes.
const MAX_LENGTH: usize = 10 * 1024;

/// A selector and the device that it is evaluated on.
#[derive(Clone, Debug)]
pub struct RandomSelector {
    /// The text of the selector.
    pub expression: String,
    /// The device.
    pub device: RandomDevice,
    /// The limit on runtime cost, where it is not the usual one.
    pub cost_limit: Option<u64>,
}

impl RandomSelector {
    /// Returns the selector of a seed, for a minor version of Kubernetes.
    pub fn new(seed: u64, minor: u32) -> Self {
        Self::draw(&mut Random::new(seed), minor)
    }

    /// Returns the selector that comes of choices made elsewhere, see
    /// [`Random::replaying`].
    pub fn replaying(choices: &[u8], minor: u32) -> Self {
        Self::draw(&mut Random::replaying(choices), minor)
    }

    fn draw(random: &mut Random, minor: u32) -> Self {
        let device = RandomDevice::new(minor, random);
        let mut expression = expression(&device, minor, random);
        while expression.len() > MAX_LENGTH {
            expression = self::expression(&device, minor, random);
        }
        let cost_limit = random.chance(10).then(|| random.below(200) as u64);
        Self {
            expression,
            device,
            cost_limit,
        }
    }
}

fn expression(device: &RandomDevice, minor: u32, random: &mut Random) -> String {
    let sort = random.below(1000);
    if sort < 15 {
        return extreme::extreme(device, minor, random);
    }
    let mistakes = [0, 0, 0, 0, 10, 40][random.below(6)];
    let depth = [1, 2, 2, 3, 3, 3, 4, 5][random.below(8)];
    let wanted = match random.below(20) {
        0 => Type::any(1, random),
        1 => Type::Dyn,
        _ => Type::Bool,
    };
    let text = Writer::new(random, device, minor, mistakes).expression(&wanted, depth);
    match sort {
        15..=114 => mutate::mutate(&text, random),
        115..=144 => mutate::respace(&text, random),
        _ => text,
    }
}
