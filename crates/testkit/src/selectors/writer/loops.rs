//! Macros: loops over lists and maps, and those of optional values.

use super::Writer;
use crate::selectors::types::Type;

/// What a loop goes over.
struct Range {
    text: String,
    /// What the one variable of a loop stands for.
    element: Type,
    /// What the two variables of a loop stand for.
    pair: (Type, Type),
}

impl Writer<'_> {
    /// Returns a macro whose result is of the wanted type, if there is one.
    pub(super) fn loops(&mut self, wanted: &Type, depth: usize) -> Option<String> {
        Some(match wanted {
            Type::Bool => match self.random.below(10) {
                0..=5 => {
                    let name = self
                        .random
                        .pick(&["all", "exists", "exists_one", "existsOne"]);
                    self.test(name, depth)
                }
                6..=7 => {
                    let name = self
                        .random
                        .pick(&["all", "exists", "existsOne", "exists_one"]);
                    self.test_of_pairs(name, depth)
                }
                _ => self.has(depth),
            },
            Type::List(element) => self.list(element, depth),
            Type::Map(key, value) => self.map(key, value, depth),
            Type::Optional(value) => self.optional(value, depth),
            _ => return None,
        })
    }

    /// Returns something to loop over.
    fn range(&mut self, depth: usize) -> Range {
        let kind = match self.random.below(10) {
            0..=4 => Type::any(1, self.random),
            5..=6 => Type::Int,
            _ => Type::String,
        };
        let text = match self.random.below(20) {
            0..=2 => {
                let domain = self.domain();
                let map = self.random.pick(&["attributes", "capacity"]);
                let value = if map == "capacity" {
                    Type::Quantity
                } else {
                    Type::Dyn
                };
                return Range {
                    text: format!("device.{map}[{domain}]"),
                    element: Type::String,
                    pair: (Type::String, value),
                };
            }
            3..=5 => {
                let key = Type::key(self.random);
                let text = self.expression(&Type::map(key.clone(), kind.clone()), depth);
                return Range {
                    text,
                    element: key.clone(),
                    pair: (key, kind),
                };
            }
            6..=7 if kind == Type::Int && self.minor >= 34 => {
                format!("lists.range({})", self.random.below(6))
            }
            _ => self.expression(&Type::list(kind.clone()), depth),
        };
        Range {
            text,
            element: kind.clone(),
            pair: (Type::Int, kind),
        }
    }

    fn test(&mut self, name: &str, depth: usize) -> String {
        let range = self.range(depth);
        let variable = self.variable();
        let body = self.within(&[(&variable, &range.element)], &Type::Bool, depth);
        format!("{}.{name}({variable}, {body})", range.text)
    }

    fn test_of_pairs(&mut self, name: &str, depth: usize) -> String {
        let range = self.range(depth);
        let (first, second) = (self.variable(), self.variable());
        let variables: [(&str, &Type); 2] = [(&first, &range.pair.0), (&second, &range.pair.1)];
        let body = self.within(&variables, &Type::Bool, depth);
        format!("{}.{name}({first}, {second}, {body})", range.text)
    }

    fn has(&mut self, depth: usize) -> String {
        match self.random.below(10) {
            0 => {
                let value = Type::simple(self.random);
                let map = self.expression(&Type::map(Type::String, value), depth);
                format!("has({map}.a)")
            }
            1 => {
                let map = self.random.pick(&["attributes", "capacity"]);
                format!("has(device.{map}.x)")
            }
            _ => {
                let (map, domain, name) = self.name();
                format!("has(device.{map}[{domain}].{name})")
            }
        }
    }

    fn list(&mut self, element: &Type, depth: usize) -> String {
        match self.random.below(10) {
            0..=1 => {
                let list = self.expression(&Type::list(element.clone()), depth);
                let variable = self.variable();
                let body = self.within(&[(&variable, element)], &Type::Bool, depth);
                format!("{list}.filter({variable}, {body})")
            }
            2..=3 => {
                let list = self.expression(&Type::list(element.clone()), depth);
                let variable = self.variable();
                let key = Type::ordered(self.random);
                let body = self.within(&[(&variable, element)], &key, depth);
                format!("{list}.sortBy({variable}, {body})")
            }
            4..=6 => {
                let range = self.range(depth);
                let variable = self.variable();
                let variables: [(&str, &Type); 1] = [(&variable, &range.element)];
                let filter = self.filter(&variables, depth);
                let body = self.within(&variables, element, depth);
                format!("{}.map({variable}, {filter}{body})", range.text)
            }
            _ => self.transformed("transformList", &element.clone(), depth),
        }
    }

    fn map(&mut self, key: &Type, value: &Type, depth: usize) -> String {
        if self.random.chance(50) {
            return self.transformed("transformMap", value, depth);
        }
        let range = self.range(depth);
        let (first, second) = (self.variable(), self.variable());
        let variables: [(&str, &Type); 2] = [(&first, &range.pair.0), (&second, &range.pair.1)];
        let filter = self.filter(&variables, depth);
        let key = self.within(&variables, key, depth);
        let value = self.within(&variables, value, depth);
        let text = range.text;
        format!("{text}.transformMapEntry({first}, {second}, {filter}{{{key}: {value}}})")
    }

    fn transformed(&mut self, name: &str, wanted: &Type, depth: usize) -> String {
        let range = self.range(depth);
        let (first, second) = (self.variable(), self.variable());
        let variables: [(&str, &Type); 2] = [(&first, &range.pair.0), (&second, &range.pair.1)];
        let filter = self.filter(&variables, depth);
        let body = self.within(&variables, wanted, depth);
        format!("{}.{name}({first}, {second}, {filter}{body})", range.text)
    }

    /// Returns the filter that some macros take before their result, or nothing.
    fn filter(&mut self, variables: &[(&str, &Type)], depth: usize) -> String {
        if self.random.chance(30) {
            format!("{}, ", self.within(variables, &Type::Bool, depth))
        } else {
            String::new()
        }
    }

    fn optional(&mut self, value: &Type, depth: usize) -> String {
        let kind = Type::any(1, self.random);
        let target = if self.random.chance(30) {
            self.optional_read()
        } else {
            self.expression(&Type::optional(kind.clone()), depth)
        };
        let variable = self.variable();
        let (name, result) = if self.random.chance(60) {
            ("optMap", value.clone())
        } else {
            ("optFlatMap", Type::optional(value.clone()))
        };
        let body = self.within(&[(&variable, &kind)], &result, depth);
        format!("{target}.{name}({variable}, {body})")
    }
}
