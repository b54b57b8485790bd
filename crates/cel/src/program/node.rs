//! Instructions: the form of an expression that is evaluated.
//!
//! Nodes lie in one vector and refer to each other by index, so that nothing
//! about a program recurses but its evaluation.

use std::cmp::Ordering;

use crate::library::{Cost, Function, Matcher, Overload, Search};
use crate::runtime::Value;
use crate::syntax::LoopKind;
use crate::{Kind, Reads};

/// Index of a node.
pub(crate) type NodeId = usize;

/// A lowered expression.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: Vec<Value<'static>>,
    pub(crate) matchers: Vec<Matcher>,
    /// Bytes that compiling the patterns tried to take.
    pub(crate) patterns: usize,
    pub(crate) root: NodeId,
    /// Number of variables.
    pub(crate) locals: usize,
    /// Depth of the expression.
    pub(crate) depth: usize,
    pub(crate) reads: Reads,
    /// Whether optional values are [restored](Value::restored).
    pub(crate) restores: bool,
}

#[derive(Debug)]
pub(crate) enum Node {
    Constant(usize),
    /// A call on constants that was done beforehand but still costs.
    Known {
        constant: usize,
        cost: u64,
    },
    Path(Path),
    /// `device.attributes["domain"].name`, the whole of a path.
    Slot(usize),
    /// `has(device.attributes["domain"].name)`.
    HasSlot(usize),
    /// `name` on a variable that is bound to its domain; `has` of it with `test`.
    BoundSlot {
        local: usize,
        slot: usize,
        test: bool,
    },
    /// A variable of a macro.
    Local(usize),
    /// `device.attributes["domain"]` or `device.capacity["domain"]`; the name
    /// is a constant.
    Domain {
        kind: Kind,
        name: usize,
    },
    /// `device.driver`.
    Driver,
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Equal {
        left: NodeId,
        right: NodeId,
        negated: bool,
    },
    /// `<` and its kin.
    Order {
        left: NodeId,
        right: NodeId,
        /// Whether the relation holds for operands of an order.
        holds: fn(Ordering) -> bool,
        cost: OrderCost,
    },
    Call {
        callee: Callee,
        cost: Cost,
        arguments: Box<[NodeId]>,
        /// Whether the first failure of an argument keeps the others from
        /// being evaluated.
        in_order: bool,
    },
    /// A search with a constant pattern.
    Search {
        search: Search,
        matcher: usize,
        cost: Cost,
        arguments: Box<[NodeId]>,
    },
    /// `"name" in device.attributes["domain"]`.
    HasName(usize),
    /// `value in [constants]`, which costs nothing.
    Member {
        value: NodeId,
        list: usize,
    },
    /// `first.or(second)`, or `first.orValue(second)` with `unwraps`.
    Otherwise {
        first: NodeId,
        second: NodeId,
        unwraps: bool,
        /// Whether what is no optional value comes back as it is.
        passes: bool,
    },
    List(Box<[(NodeId, bool)]>),
    Map(Box<[(NodeId, NodeId, bool)]>),
    Loop(Box<LoopNode>),
    /// Evaluated when the variable is used for the first time.
    Bind {
        local: usize,
        value: NodeId,
        body: NodeId,
    },
    OptionalMap {
        target: NodeId,
        local: usize,
        body: NodeId,
        flat: bool,
    },
}

/// What is called.
#[derive(Debug)]
pub(crate) struct Callee {
    /// One per library with a fitting signature.
    pub(crate) functions: Box<[&'static Function]>,
    /// The only signature that the arguments may have, though others of the
    /// function would fit them, too.
    pub(crate) only: Option<&'static Overload>,
}

/// What a comparison for order costs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OrderCost {
    One,
    /// A traversal of the smaller operand: the operands are known to be texts.
    Traversal,
}

/// A loop; its variables are `local` and, with `two`, the one after it.
#[derive(Debug)]
pub(crate) struct LoopNode {
    pub(crate) kind: LoopKind,
    pub(crate) range: NodeId,
    pub(crate) local: usize,
    pub(crate) two: bool,
    pub(crate) filter: Option<NodeId>,
    pub(crate) body: NodeId,
    /// A constant body makes a list of one element that costs nothing.
    pub(crate) constant_body: bool,
}

/// A value and selections on it: what cel-go calls an attribute.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) root: Root,
    pub(crate) qualifiers: Vec<Qualifier>,
    /// Whether the last selection is only tested for presence.
    pub(crate) test: bool,
}

#[derive(Debug)]
pub(crate) enum Root {
    Device,
    /// `device.attributes["domain"].name`; the name may be selected optionally.
    Slot {
        slot: usize,
        optional: bool,
    },
    Local(usize),
    Node(NodeId),
    /// An `optMap`, which Kubernetes expands to a conditional.
    Mapped(NodeId),
    /// Selections on it are in both branches.
    Conditional(Box<Conditional>),
}

#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: NodeId,
    pub(crate) truthy: Path,
    pub(crate) falsy: Path,
}

#[derive(Debug)]
pub(crate) struct Qualifier {
    pub(crate) key: Key,
    pub(crate) optional: bool,
}

#[derive(Debug)]
pub(crate) enum Key {
    Constant(usize),
    /// The name of a slot, selected on a variable that is bound to its domain.
    Slot(usize),
    Path(Path),
    Node(NodeId),
}

impl Path {
    pub(crate) fn new(root: Root) -> Self {
        Self {
            root,
            qualifiers: Vec::new(),
            test: false,
        }
    }

    /// Adds a selection, on both branches of a conditional.
    pub(crate) fn push(&mut self, qualifier: Qualifier, test: bool) {
        self.test |= test;
        if let Root::Conditional(conditional) = &mut self.root {
            // The key is a constant or evaluated in one branch only, so both
            // can refer to it.
            let copy = Qualifier {
                key: qualifier.key.duplicate(),
                optional: qualifier.optional,
            };
            conditional.truthy.push(copy, test);
            conditional.falsy.push(qualifier, test);
        } else {
            self.qualifiers.push(qualifier);
        }
    }
}

impl Key {
    fn duplicate(&self) -> Self {
        match self {
            Self::Constant(index) => Self::Constant(*index),
            Self::Slot(index) => Self::Slot(*index),
            Self::Node(node) => Self::Node(*node),
            Self::Path(path) => Self::Path(path.duplicate()),
        }
    }
}

impl Path {
    fn duplicate(&self) -> Self {
        let root = match &self.root {
            Root::Device => Root::Device,
            Root::Slot { slot, optional } => Root::Slot {
                slot: *slot,
                optional: *optional,
            },
            Root::Local(local) => Root::Local(*local),
            Root::Node(node) => Root::Node(*node),
            Root::Mapped(node) => Root::Mapped(*node),
            Root::Conditional(conditional) => Root::Conditional(Box::new(Conditional {
                condition: conditional.condition,
                truthy: conditional.truthy.duplicate(),
                falsy: conditional.falsy.duplicate(),
            })),
        };
        let qualifiers = self
            .qualifiers
            .iter()
            .map(|qualifier| Qualifier {
                key: qualifier.key.duplicate(),
                optional: qualifier.optional,
            })
            .collect();
        Self {
            root,
            qualifiers,
            test: self.test,
        }
    }
}

/// The domain that a path denotes, if it is `device.attributes["domain"]`.
pub(crate) type DomainName = (Kind, String);
