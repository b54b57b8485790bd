//! Evaluation of names and selections.

use super::failure::{Done, Failure, Outcome, internal, invalid, no_such_overload};
use super::{Local, Machine};
use crate::program::node::{Key, NodeId, Path, Qualifier, Root};
use crate::runtime::{Map, Value, excerpt};
use crate::{ErrorKind, EvaluationError, Kind};

impl<'a> Machine<'a, '_> {
    /// Evaluates a path. It costs 1 as a whole if it stands for itself, and 1
    /// for every selection that was made.
    pub(super) fn path(&mut self, path: &'a Path, whole: bool) -> Outcome<'a> {
        if let Root::Conditional(parts) = &path.root {
            let result = match self.eval(parts.condition) {
                Ok(Value::Bool(true)) => self.path(&parts.truthy, false),
                Ok(Value::Bool(false)) => self.path(&parts.falsy, false),
                Ok(_) => Err(no_such_overload()),
                Err(error) => Err(error),
            };
            return self.unpaid(path, whole, result);
        }
        let result = self.resolve(path);
        if matches!(path.root, Root::Mapped(_)) {
            return self.unpaid(path, whole, result);
        }
        if whole && !path.test {
            return self.charged(result, 1);
        }
        result
    }

    /// A conditional costs nothing as a whole; when it is only tested, cel-go
    /// takes back what it never charged, unless the evaluation ended before.
    fn unpaid(&mut self, path: &Path, whole: bool, result: Outcome<'a>) -> Outcome<'a> {
        let is_over = result.as_ref().is_err_and(|error| error.is_final());
        if path.test && whole && !is_over {
            self.context.refund();
        }
        result
    }

    fn resolve(&mut self, path: &'a Path) -> Outcome<'a> {
        let mut optional = false;
        let mut object = match &path.root {
            Root::Slot {
                slot,
                optional: by_name,
            } => {
                let found = self.slot(*slot);
                self.context.charge_units(2)?;
                let is_test = path.test && path.qualifiers.is_empty();
                if is_test || found.is_some() || !by_name {
                    self.context.charge(1)?;
                }
                optional = *by_name;
                match found {
                    _ if is_test => return Ok(Value::Bool(found.is_some())),
                    Some(value) => value,
                    None if optional => return Ok(Value::none()),
                    None => return Err(self.missing_slot(*slot)),
                }
            }
            Root::Device => Value::Map(Map::Device),
            Root::Local(local) => self.local(*local)?,
            Root::Node(node) | Root::Mapped(node) => self.eval(*node)?,
            Root::Conditional(_) => return Err(internal()),
        };
        if !optional && let Value::Optional(inner) = object {
            match inner {
                None => return Ok(Value::none()),
                Some(value) if self.code.restores => object = value.restored(),
                Some(value) => object = value.as_ref().clone(),
            }
            optional = true;
        }
        let last = path.qualifiers.len();
        for (index, qualifier) in path.qualifiers.iter().enumerate() {
            optional |= qualifier.optional;
            let found = self.qualify(&object, qualifier);
            let is_test = path.test && index + 1 == last;
            let is_found = matches!(found, Ok(Some(_)));
            if matches!(&found, Err(error) if error.is_final()) {
                return found.and(Err(internal()));
            }
            if is_found || !optional {
                self.context.charge(1)?;
            }
            object = match found? {
                _ if is_test => return Ok(Value::Bool(is_found)),
                Some(value) => value,
                None if optional => return Ok(Value::none()),
                None => return Err(self.missing(&object, qualifier)),
            };
        }
        Ok(if optional {
            Value::some(object)
        } else {
            object
        })
    }

    /// Looks up a slot that must be there.
    pub(super) fn slot_to(&mut self, slot: usize, place: &mut Value<'a>) -> Done {
        match self.slot(slot) {
            Some(value) => *place = value,
            None => return Err(self.missing_slot(slot)),
        }
        Ok(())
    }

    /// Evaluates a slot that is selected on a variable.
    pub(super) fn bound_slot(
        &mut self,
        local: usize,
        slot: usize,
        test: bool,
        place: &mut Value<'a>,
    ) -> Done {
        // The variable holds the domain, which the slot knows already.
        self.use_local(local)?;
        if test {
            self.context.charge(1)?;
            *place = Value::Bool(self.slot(slot).is_some());
            return Ok(());
        }
        self.context.charge_units(2)?;
        self.slot_to(slot, place)
    }

    /// Evaluates a variable that is the whole of a path.
    pub(super) fn whole_local(&mut self, index: usize, place: &mut Value<'a>) -> Done {
        let used = self.use_local(index);
        if !matches!(&used, Err(failure) if failure.is_final()) {
            self.context.charge(1)?;
        }
        used?;
        match &self.locals[index] {
            Local::Value(Value::Optional(Some(content))) if self.code.restores => {
                *place = Value::some(content.restored());
            }
            Local::Value(value) => value.copy_to(place),
            _ => {}
        }
        Ok(())
    }

    #[cold]
    fn missing_slot(&self, slot: usize) -> Failure {
        no_such_key(&self.code.reads.slots[slot].name)
    }

    /// Returns what a selection finds; what has no parts contains nothing.
    fn qualify(
        &mut self,
        object: &Value<'a>,
        qualifier: &'a Qualifier,
    ) -> Result<Option<Value<'a>>, Failure> {
        let key = match &qualifier.key {
            Key::Slot(slot) => return Ok(self.slot(*slot)),
            Key::Constant(index) => self.constant(*index),
            Key::Path(path) => self.path(path, false)?,
            Key::Node(node) => self.eval(*node)?,
        };
        match object {
            Value::Map(map) => {
                if !is_key(&key) {
                    return Err(invalid("invalid qualifier type"));
                }
                self.context.work(map.lookup_work(&key))?;
                Ok(map.find(&key, self.context.row))
            }
            Value::List(list) => {
                let index = list_index(&key)?;
                Ok(index.and_then(|index| list.get(index)))
            }
            _ => Ok(None),
        }
    }

    fn missing(&self, object: &Value<'a>, qualifier: &Qualifier) -> Failure {
        let key = match &qualifier.key {
            Key::Constant(index) => self.constant(*index),
            Key::Slot(slot) => Value::text(&self.code.reads.slots[*slot].name),
            Key::Path(_) | Key::Node(_) => Value::text("computed at run time"),
        };
        let shown = match &key {
            Value::String(text) => text.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Uint(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            other => other.type_name().to_owned(),
        };
        if matches!(object, Value::List(_)) {
            return EvaluationError::new(
                ErrorKind::NoSuchKey,
                format!("index out of bounds: {shown}"),
            )
            .into();
        }
        no_such_key(&shown)
    }

    pub(super) fn slot(&self, index: usize) -> Option<Value<'a>> {
        let slot = &self.code.reads.slots[index];
        let row = self.context.row;
        match slot.kind {
            Kind::Attribute => row.attribute_slot(index, slot).map(Value::from_attribute),
            Kind::Capacity => row.capacity_slot(index, slot).map(Value::from_quantity),
        }
    }

    /// Returns the value of a variable.
    fn local(&mut self, index: usize) -> Outcome<'a> {
        self.use_local(index)?;
        match &self.locals[index] {
            Local::Value(value) => Ok(value.clone()),
            _ => Err(internal()),
        }
    }

    /// Sees to it that a variable has a value, evaluating it if it is the first use.
    fn use_local(&mut self, index: usize) -> Done {
        let evaluated = match &self.locals[index] {
            Local::Value(_) => return Ok(()),
            Local::Failed(failure) => return Err(failure.clone()),
            Local::Empty => return Err(internal()),
            Local::Lazy(node) => self.eval(*node),
            Local::LazyContent(node) => self.content(*node),
        };
        let value = evaluated.inspect_err(|failure| {
            self.locals[index] = Local::Failed(failure.clone());
        })?;
        self.locals[index] = Local::Value(value);
        Ok(())
    }

    /// Evaluates an optional value and what is in it.
    fn content(&mut self, node: NodeId) -> Outcome<'a> {
        let optional = self.eval(node);
        match self.charged(optional, 1)? {
            Value::Optional(Some(value)) => Ok(value.content()?),
            _ => Err(no_such_overload()),
        }
    }
}

fn is_key(key: &Value<'_>) -> bool {
    matches!(
        key,
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)
    )
}

/// The position that an index means; none if it lies before the list.
fn list_index(key: &Value<'_>) -> Result<Option<usize>, Failure> {
    match key {
        Value::Int(index) => Ok(usize::try_from(*index).ok()),
        Value::Uint(index) => Ok(usize::try_from(*index).ok()),
        Value::Double(index) => integral(*index),
        other => Err(invalid(format!(
            "unsupported index type `{}` in list",
            other.type_name()
        ))),
    }
}

/// A double that is a whole number can be an index.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn integral(index: f64) -> Result<Option<usize>, Failure> {
    if index.fract() != 0.0 || !index.is_finite() {
        return Err(invalid(format!("unsupported index value {index} in list")));
    }
    Ok((0.0..4_294_967_296.0)
        .contains(&index)
        .then_some(index as usize))
}

fn no_such_key(name: &str) -> Failure {
    let name = excerpt(name);
    EvaluationError::new(ErrorKind::NoSuchKey, format!("no such key: {name}")).into()
}
