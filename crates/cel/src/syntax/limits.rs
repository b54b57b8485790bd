//! How large an expression may be.

/// Longest expression that Kubernetes accepts, in bytes
/// (resource/v1 `CELSelectorExpressionMaxLength`).
pub(super) const LENGTH: usize = 10 * 1024;

/// Deepest nesting that cel-go's parser accepts: of each of the rules below,
/// and of operations in the tree.
pub(super) const NESTING: usize = 250;

/// How often the rules of cel-go's grammar are entered at one place. It limits
/// each on its own; all others are entered at most as often as one of these.
#[derive(Default)]
pub(super) struct Rules {
    /// Whole expressions: in brackets, and after the `:` of a conditional.
    pub(super) expression: usize,
    /// Comparisons, and again what is right of their operator.
    pub(super) relation: usize,
    /// Sums and products, and again what is right of their operator.
    pub(super) arithmetic: usize,
}

impl Rules {
    pub(super) fn is_exceeded(&self) -> bool {
        self.expression.max(self.relation).max(self.arithmetic) > NESTING
    }
}
