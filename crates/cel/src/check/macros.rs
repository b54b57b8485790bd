//! Macros: variables and what is evaluated with them.

use super::types::Type;
use super::{Checked, Checker};
use crate::CompileError;
use crate::syntax::{Expr, Loop, LoopKind};

impl Checker<'_> {
    /// Checks what is evaluated with a variable. The expansion of the macro
    /// names the variable, whether the body does or not.
    pub(super) fn scoped(
        &mut self,
        expr: &Expr,
        variable: &str,
        bound: Type,
        body: &Expr,
    ) -> Checked {
        self.held_type(expr, variable, &bound)?;
        self.scopes.push((variable.to_owned(), bound));
        let result = self.expr(body);
        self.scopes.pop();
        result
    }

    /// The types of the variables of a loop over this range.
    fn variables(&mut self, parts: &Loop) -> Result<(Type, Option<Type>), CompileError> {
        let range = self.expr(&parts.range)?;
        let two = parts.second.is_some();
        Ok(match self.substitution.apply(&range) {
            Type::List(element) if two => (Type::Int, Some(element.as_ref().clone())),
            Type::List(element) => (element.as_ref().clone(), None),
            Type::Map(key, value) => (key.as_ref().clone(), two.then(|| value.as_ref().clone())),
            other @ (Type::Dyn | Type::Variable(_)) => {
                self.substitution.assign(&Type::Dyn, &other);
                (Type::Dyn, two.then_some(Type::Dyn))
            }
            other => {
                let message = format!("expected a list or a map to loop over, not `{other}`");
                return Err(self.error(&parts.range, message));
            }
        })
    }

    pub(super) fn loop_macro(&mut self, expr: &Expr, parts: &Loop) -> Checked {
        let (first, second) = self.variables(parts)?;
        let key = first.clone();
        let depth = self.scopes.len();
        self.scopes.push((parts.variable.clone(), first));
        if let (Some(name), Some(second)) = (&parts.second, second) {
            self.scopes.push((name.clone(), second));
        }
        let result = self.loop_body(expr, parts, &key);
        self.scopes.truncate(depth);
        result.map(|result| self.substitution.apply(&result))
    }

    fn loop_body(&mut self, expr: &Expr, parts: &Loop, key: &Type) -> Checked {
        if let Some(filter) = &parts.filter {
            let found = self.expr(filter)?;
            self.condition(filter, &found)?;
        }
        let body = self.expr(&parts.body)?;
        match parts.kind {
            LoopKind::All | LoopKind::Exists | LoopKind::ExistsOne => {
                self.condition(&parts.body, &body)?;
                Ok(Type::Bool)
            }
            LoopKind::List => Ok(Type::list(body)),
            LoopKind::Map => {
                self.held_type(expr, &parts.variable, key)?;
                Ok(Type::map(key.clone(), body))
            }
            LoopKind::Entries => {
                let any = Type::map(self.substitution.fresh(), self.substitution.fresh());
                self.expect(expr, &body, &any)?;
                Ok(any)
            }
        }
    }

    fn condition(&mut self, expr: &Expr, found: &Type) -> Result<(), CompileError> {
        if self.substitution.assign(found, &Type::Bool) {
            return Ok(());
        }
        Err(self.mismatch(expr, &Type::Bool, found))
    }

    pub(super) fn optional_map(
        &mut self,
        expr: &Expr,
        target: &Expr,
        variable: &str,
        body: &Expr,
        flat: bool,
    ) -> Checked {
        let found = self.expr(target)?;
        let value = self.substitution.fresh();
        let expected = Type::optional(value.clone());
        if !self.substitution.assign(&found, &expected) {
            return Err(self.mismatch(target, &expected, &found));
        }
        let value = self.substitution.apply(&value);
        let result = self.scoped(expr, variable, value, body)?;
        if !flat {
            return Ok(Type::optional(self.substitution.apply(&result)));
        }
        // The other branch is `optional.none()`.
        let none = Type::optional(self.substitution.fresh());
        if !self.substitution.assign(&result, &none) {
            return Err(self.mismatch(body, &none, &result));
        }
        Ok(self.substitution.apply(&result))
    }
}
