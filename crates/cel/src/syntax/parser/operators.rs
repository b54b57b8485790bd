//! Operators, from the conditional down to the unary ones.

use super::balance::{Term, balanced};
use super::{Parsed, Parser};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// A conditional, or what it is made of: `a ? b : c ? d : e`.
    pub(super) fn expression(&mut self) -> Parsed {
        self.rules.expression += 1;
        self.check_rules()?;
        let mut start = self.token().start;
        let mut last = self.disjunction()?;
        let mut conditions = Vec::new();
        while self.eat(TokenKind::Question) {
            let then = self.disjunction()?;
            if !self.eat(TokenKind::Colon) {
                return Err(self.unexpected("an operator or the `:` of a conditional"));
            }
            conditions.push((start, last, then));
            // What follows the colon is an expression inside of this one.
            self.rules.expression += 1;
            self.check_rules()?;
            start = self.token().start;
            last = self.disjunction()?;
        }
        self.rules.expression -= 1 + conditions.len();
        let end = self.end();
        for (start, condition, then) in conditions.into_iter().rev() {
            last = self.operation(start..end, 1, "_?_:_", [condition, then, last])?;
        }
        Ok(last)
    }

    fn disjunction(&mut self) -> Parsed {
        self.chain(TokenKind::Or, "_||_", Self::conjunction)
    }

    fn conjunction(&mut self) -> Parsed {
        self.chain(TokenKind::And, "_&&_", Self::relation)
    }

    /// Terms between operators of one kind, which cel-go makes a balanced tree.
    fn chain(
        &mut self,
        operator: TokenKind,
        function: &str,
        term: fn(&mut Self) -> Parsed,
    ) -> Parsed {
        let start = self.token().start;
        let first = term(self)?;
        if self.kind() != operator {
            return Ok(first);
        }
        let mut terms = vec![Term {
            span: start..self.end(),
            expr: first,
        }];
        while self.eat(operator) {
            let start = self.token().start;
            let expr = term(self)?;
            terms.push(Term {
                span: start..self.end(),
                expr,
            });
        }
        balanced(self, function, terms)
    }

    /// A comparison of sums; chains lean to the left.
    fn relation(&mut self) -> Parsed {
        self.rules.relation += 1;
        self.check_rules()?;
        let start = self.token().start;
        let mut left = self.arithmetic(0)?;
        while let Some(function) = self.kind().relation() {
            self.position += 1;
            self.rules.relation += 1;
            self.check_rules()?;
            let right = self.arithmetic(0)?;
            self.rules.relation -= 1;
            left = self.operation(start..self.end(), 1, function, [left, right])?;
        }
        self.rules.relation -= 1;
        Ok(left)
    }

    /// Operators of more than this precedence.
    fn arithmetic(&mut self, above: u8) -> Parsed {
        self.rules.arithmetic += 1;
        self.check_rules()?;
        let start = self.token().start;
        let mut left = self.unary()?;
        while let Some((function, precedence)) = self.kind().arithmetic()
            && precedence > above
        {
            self.position += 1;
            let right = self.arithmetic(precedence)?;
            left = self.operation(start..self.end(), 1, function, [left, right])?;
        }
        self.rules.arithmetic -= 1;
        Ok(left)
    }

    /// Any number of one unary operator; two of them cancel out unseen.
    fn unary(&mut self) -> Parsed {
        let operator = self.token();
        let function = match operator.kind {
            TokenKind::Not => "!_",
            // One minus before a number is part of the number.
            TokenKind::Minus if !self.is_negative_number() => "-_",
            _ => return self.member(),
        };
        let mut count = 0usize;
        while self.eat(operator.kind) {
            count += 1;
        }
        let operand = self.member()?;
        if count.is_multiple_of(2) {
            return Ok(operand);
        }
        self.operation(operator.start..self.end(), 0, function, [operand])
    }
}
