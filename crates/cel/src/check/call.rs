//! Which function a call means.

use super::record::Call;
use super::types::Type;
use super::{Checked, Checker, Reference, qualified_name};
use crate::library::{self, Function, MAX_ARGUMENTS, Overload, PARAMETERS};
use crate::syntax::Expr;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        expr: &Expr,
        function: &str,
        target: Option<&Expr>,
        arguments: &[Expr],
    ) -> Checked {
        let mut types = Vec::with_capacity(arguments.len() + 1);
        for argument in arguments {
            types.push(self.expr(argument)?);
        }
        let Some(target) = target else {
            let name = function.strip_prefix('.').unwrap_or(function);
            return self.resolve(expr, name, false, &types, false);
        };
        if let Some(prefix) = qualified_name(target) {
            let prefix = prefix.strip_prefix('.').unwrap_or(&prefix);
            let name = format!("{prefix}.{function}");
            if library::functions(&name, self.minor).next().is_some() {
                return self.resolve(expr, &name, false, &types, true);
            }
        }
        let target = self.expr(target)?;
        types.insert(0, target);
        self.resolve(expr, function, true, &types, false)
    }

    fn resolve(
        &mut self,
        expr: &Expr,
        name: &str,
        member: bool,
        arguments: &[Type],
        is_namespaced: bool,
    ) -> Checked {
        let named = library::functions(name, self.minor);
        if named.clone().next().is_none() {
            return Err(self.error(expr, format!("undeclared reference to `{name}`")));
        }
        if name == "_&&_" || name == "_||_" {
            return self.logical(expr, name, arguments);
        }
        let mut functions: Vec<&'static Function> = Vec::new();
        let mut matching: Vec<&'static Overload> = Vec::new();
        let mut result: Option<Type> = None;
        for function in named.filter(|function| function.member == member) {
            for overload in function.overloads {
                let Some(found) = self.fits(overload, arguments) else {
                    continue;
                };
                matching.push(overload);
                if !functions.iter().any(|other| std::ptr::eq(*other, function)) {
                    functions.push(function);
                }
                result = Some(match result {
                    None => found,
                    Some(Type::Dyn) => Type::Dyn,
                    Some(before) if before == found => before,
                    Some(_) => Type::Dyn,
                });
            }
        }
        let Some(result) = result else {
            return Err(self.no_overload(expr, name, member, arguments));
        };
        if let Some(record) = &mut self.record {
            let call = Call {
                name: name.to_owned(),
                member,
                overloads: matching.clone(),
            };
            record.set_call(expr.id, call);
        }
        let overload = match matching.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        self.refer(
            expr,
            Reference::Call {
                functions,
                overload,
                is_namespaced,
            },
        );
        Ok(result)
    }

    /// Returns the result type of a signature if the arguments fit it.
    fn fits(&mut self, overload: &'static Overload, arguments: &[Type]) -> Option<Type> {
        if overload.arguments.len() != arguments.len() {
            return None;
        }
        let parameters: [Type; PARAMETERS] = if overload.is_generic() {
            std::array::from_fn(|_| self.substitution.fresh())
        } else {
            [const { Type::Dyn }; PARAMETERS]
        };
        let mut expected = [const { Type::Dyn }; MAX_ARGUMENTS];
        for (place, pattern) in expected.iter_mut().zip(overload.arguments) {
            *place = pattern.instantiate(&parameters);
        }
        let expected = expected.get(..arguments.len())?;
        if !self.substitution.assign_all(arguments, expected) {
            return None;
        }
        let result = overload.result.instantiate(&parameters);
        Some(self.substitution.apply(&result))
    }

    fn logical(&mut self, expr: &Expr, name: &str, arguments: &[Type]) -> Checked {
        for argument in arguments {
            if !self.substitution.assign(argument, &Type::Bool) {
                return Err(self.no_overload(expr, name, false, arguments));
            }
        }
        Ok(Type::Bool)
    }

    fn no_overload(
        &self,
        expr: &Expr,
        name: &str,
        member: bool,
        arguments: &[Type],
    ) -> crate::CompileError {
        let mut names = arguments
            .iter()
            .map(|argument| self.substitution.finish(argument).to_string());
        let applied = if member {
            let target = names.next().unwrap_or_default();
            format!("{target}.({})", names.collect::<Vec<_>>().join(", "))
        } else {
            format!("({})", names.collect::<Vec<_>>().join(", "))
        };
        let error = self.error(
            expr,
            format!("no matching overload for `{name}` applied to `{applied}`"),
        );
        if applied.contains("kubernetes.") && matches!(name, "_<_" | "_<=_" | "_>_" | "_>=_") {
            return error.with_hint("write `a.compareTo(b) >= 0`, or the like, instead");
        }
        error
    }
}
