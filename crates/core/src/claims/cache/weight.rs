//! What compiled claims take of memory.

use dralloc_cel::Program;

use crate::claims::Compiled;
use crate::model::{DeviceClass, OpaqueDeviceConfiguration};

/// Bytes of a small part with its texts, roughly.
const PART: usize = 128;

impl Compiled {
    /// Returns how many bytes it takes, roughly; with the classes, which an
    /// engine may have forgotten.
    pub(super) fn weight(&self) -> usize {
        let expressions = self.expressions().iter().map(|expression| {
            let program = expression.program.as_ref();
            PART + expression.source.len() + program.map_or(PART, Program::memory)
        });
        let alternatives = self.alternatives().map(|alternative| {
            let capacities = alternative.capacity.as_ref();
            let capacities = capacities.map_or(0, |capacity| capacity.requests.len());
            let parts = alternative.selectors.len()
                + alternative.tolerations.len()
                + alternative.derived_attributes.len()
                + capacities;
            4 * PART + 2 * PART * parts + of_class(&alternative.class)
        });
        let claims = self.claims.iter().map(|claim| {
            let constraints = claim.constraints.iter();
            let constraints = constraints.map(|one| 2 * PART * (1 + one.requests.len()));
            let config = claim.spec.config.iter();
            let config =
                config.map(|one| PART * (1 + one.requests.len()) + of_config(one.opaque.as_ref()));
            2 * PART + constraints.sum::<usize>() + config.sum::<usize>()
        });
        expressions.sum::<usize>() + alternatives.sum::<usize>() + claims.sum::<usize>()
    }
}

fn of_class(class: &DeviceClass) -> usize {
    let selectors = class.spec.selectors.iter();
    let selectors = selectors.filter_map(|selector| selector.cel.as_ref());
    let selectors = selectors.map(|cel| PART + cel.expression.len());
    let config = class.spec.config.iter();
    let config = config.map(|one| PART + of_config(one.opaque.as_ref()));
    2 * PART + selectors.sum::<usize>() + config.sum::<usize>()
}

fn of_config(opaque: Option<&OpaqueDeviceConfiguration>) -> usize {
    let parameters = opaque.and_then(|opaque| opaque.parameters.as_ref());
    parameters.map_or(0, |parameters| parameters.as_str().len())
}
