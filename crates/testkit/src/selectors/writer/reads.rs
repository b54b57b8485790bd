//! Reads of the device.

use super::Writer;
use crate::selectors::literal::literal;
use crate::selectors::types::Type;

impl Writer<'_> {
    /// Returns a read of the device that gives a value of the wanted type, if it
    /// has one; sometimes one that it lacks.
    pub(super) fn read(&mut self, wanted: &Type) -> Option<String> {
        match wanted {
            Type::Quantity => {
                let names: Vec<(&str, &str)> = self
                    .device
                    .capacity
                    .iter()
                    .map(|(name, _)| (name.domain, name.id))
                    .collect();
                self.named("capacity", &names, wanted)
            }
            Type::Bool if self.random.chance(15) => {
                Some("device.allowMultipleAllocations".to_owned())
            }
            Type::String if self.random.chance(25) => Some("device.driver".to_owned()),
            Type::Optional(_) => Some(self.optional_read()),
            Type::Map(..) if self.random.chance(50) => {
                let map = self.random.pick(&["attributes", "capacity"]);
                let domain = self.domain();
                Some(match self.random.below(4) {
                    0 => format!("device.{map}"),
                    _ => format!("device.{map}[{domain}]"),
                })
            }
            Type::Dyn => {
                let (map, domain, name) = self.name();
                Some(format!("device.{map}[{domain}].{name}"))
            }
            _ => {
                let names: Vec<(&str, &str)> = self
                    .device
                    .attributes
                    .iter()
                    .filter(|(_, value)| value.kind() == *wanted)
                    .map(|(name, _)| (name.domain, name.id))
                    .collect();
                self.named("attributes", &names, wanted)
            }
        }
    }

    /// Returns a read of one of the names, in one of the ways to write it.
    fn named(&mut self, map: &str, names: &[(&str, &str)], wanted: &Type) -> Option<String> {
        if names.is_empty() || self.random.chance(6) {
            return self.random.chance(30).then(|| {
                let (map, domain, name) = self.name();
                format!("device.{map}[{domain}].{name}")
            });
        }
        let (domain, name) = names[self.random.below(names.len())];
        let field = self.field(name);
        Some(match self.random.below(20) {
            0..=8 => format!("device.{map}[\"{domain}\"].{field}"),
            9..=11 => format!("device.{map}[\"{domain}\"][\"{name}\"]"),
            12..=14 => {
                let substitute = literal(wanted, self.random);
                format!("device.{map}[\"{domain}\"].?{field}.orValue({substitute})")
            }
            15 => format!("device.{map}[?\"{domain}\"].?{field}.value()"),
            16 => {
                let substitute = literal(wanted, self.random);
                let read = format!("device.{map}[\"{domain}\"].{field}");
                format!("(has({read}) ? {read} : {substitute})")
            }
            17 => format!("cel.bind(d, device.{map}[\"{domain}\"], d.{field})"),
            18 => format!("device.?{map}[?\"{domain}\"][?\"{name}\"].value()"),
            _ if domain == self.device.driver => {
                format!("device.{map}[device.driver].{field}")
            }
            _ => format!("device.{map}[\"{domain}\" + \"\"].{field}"),
        })
    }

    /// Returns a read whose result may be missing.
    pub(super) fn optional_read(&mut self) -> String {
        let (map, domain, name) = self.name();
        match self.random.below(3) {
            0 => format!("device.{map}[{domain}].?{name}"),
            1 => format!("device.{map}[?{domain}].?{name}"),
            _ => format!("device.{map}[{domain}][?\"{}\"]", name.trim_matches('`')),
        }
    }

    /// Returns a domain as an index: usually one that the device has.
    pub(super) fn domain(&mut self) -> String {
        match self.random.below(12) {
            0 => "\"no.such\"".to_owned(),
            1 => "device.driver".to_owned(),
            2..=3 => "\"example.com\"".to_owned(),
            4 => "\"resource.kubernetes.io\"".to_owned(),
            _ => format!("\"{}\"", self.device.driver),
        }
    }

    /// Returns a map of the device, a domain as an index, and a name as a field.
    pub(super) fn name(&mut self) -> (&'static str, String, String) {
        let capacity = self.random.chance(30);
        let names: Vec<(&str, &str)> = if capacity {
            let capacity = self.device.capacity.iter();
            capacity.map(|(name, _)| (name.domain, name.id)).collect()
        } else {
            let attributes = self.device.attributes.iter();
            attributes.map(|(name, _)| (name.domain, name.id)).collect()
        };
        let map = if capacity { "capacity" } else { "attributes" };
        if names.is_empty() || self.random.chance(25) {
            let name = self.random.pick(&["nope", "type", "index", "memory"]);
            return (map, self.domain(), name.to_owned());
        }
        let (domain, name) = names[self.random.below(names.len())];
        (map, format!("\"{domain}\""), self.field(name))
    }

    /// Writes a name as a field, in backticks where it is no identifier.
    fn field(&mut self, name: &str) -> String {
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        // Versions before 1.37 know no backticks.
        let escapes = self.minor >= 37 || self.random.chance(2);
        match (plain, escapes) {
            (true, _) if !self.random.chance(3) => name.to_owned(),
            (_, true) => format!("`{name}`"),
            (true, false) => name.to_owned(),
            (false, false) => "nope".to_owned(),
        }
    }
}
