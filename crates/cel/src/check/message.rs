//! Literals of messages.

use super::types::Type;
use super::{Checked, Checker};
use crate::library;
use crate::syntax::{Expr, Field};

impl Checker<'_> {
    /// The type of a literal of a message; those that wrap a scalar are as good
    /// as the scalar or null.
    pub(super) fn message(&mut self, expr: &Expr, name: &str, fields: &[Field]) -> Checked {
        let name = name.strip_prefix('.').unwrap_or(name);
        let Some(message) = library::message(name) else {
            return Err(self.error(expr, format!("undeclared reference to `{name}`")));
        };
        for field in fields {
            let found = self.element(&field.value, field.optional)?;
            let Some((_, expected)) = message.fields.iter().find(|(name, _)| *name == field.name)
            else {
                return Err(self.error(expr, format!("undefined field `{}`", field.name)));
            };
            self.expect(&field.value, &expected.instantiate(&[]), &found)?;
        }
        let result = message.result.instantiate(&[]);
        Ok(if message.wrapper {
            Type::Wrapper(result.into())
        } else {
            result
        })
    }
}
