//! Numbers by which specs are looked up.

use crate::model::{DeviceSelector, ResourceClaim};

/// Returns a number that is the same for equal specs, and mostly another for others.
///
/// It takes in what templates usually differ in. Nothing but the time of a look
/// depends on that, so nothing is lost if somebody makes many alike.
pub(super) fn fingerprint(claims: &[ResourceClaim]) -> u64 {
    let mut mix = Mix(0);
    for claim in claims {
        let spec = &claim.spec.devices;
        mix.length(spec.requests.len());
        mix.length(spec.constraints.len());
        for request in &spec.requests {
            mix.text(&request.name);
            if let Some(exactly) = &request.exactly {
                mix.text(&exactly.device_class_name);
                mix.number(exactly.count.cast_unsigned());
                mix.selectors(&exactly.selectors);
            }
            for subrequest in &request.first_available {
                mix.text(&subrequest.name);
                mix.text(&subrequest.device_class_name);
                mix.number(subrequest.count.cast_unsigned());
                mix.selectors(&subrequest.selectors);
            }
        }
        for constraint in &spec.constraints {
            let attributes = [&constraint.match_attribute, &constraint.distinct_attribute];
            for attribute in attributes.into_iter().flatten() {
                mix.text(attribute);
            }
        }
        for config in &spec.config {
            let opaque = config.opaque.as_ref();
            let parameters = opaque.and_then(|opaque| opaque.parameters.as_ref());
            mix.text(parameters.map_or("", |parameters| parameters.as_str()));
        }
    }
    mix.0
}

/// Mixes words of 8 bytes, as the hash of Firefox does.
struct Mix(u64);

impl Mix {
    fn number(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        for word in words {
            self.number(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (byte, rest) in last.iter_mut().zip(rest) {
            *byte = *rest;
        }
        self.number(u64::from_le_bytes(last));
    }

    fn selectors(&mut self, selectors: &[DeviceSelector]) {
        self.length(selectors.len());
        for selector in selectors {
            let cel = selector.cel.as_ref();
            self.text(cel.map_or("", |cel| &cel.expression));
        }
    }
}
