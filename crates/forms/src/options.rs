//! [`CallOptions`]: how a question is asked, owned.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dralloc::model::{Amounts, Str};
use dralloc::{
    AllocateOptions, Budget, CarriedPolicies, Deadline, Error, ErrorMode, Find, PlaceOptions,
    Policy, Releasing,
};
use serde::Deserialize;

use crate::text::read;

/// Says how a question to one node or to many is asked.
///
/// Its form in JSON has the fields below in Kubernetes' spelling, all of them
/// optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallOptions {
    /// A preset by name, or a list of terms; by default what claims carry counts.
    pub policy: Option<Policy>,
    /// `used` (default) or `ignored`.
    pub carried_policies: Carried,
    /// Ends a search after so many branches; no limit by default.
    pub branches: Option<u64>,
    /// Ends a search after so many nanoseconds from the beginning of the call; no
    /// limit by default.
    pub timeout_nanoseconds: Option<u64>,
    /// `abort` or `skip`; by default as the policy has it, `skip` for many nodes.
    pub errors: Option<Errors>,
    /// Seconds since 1970 (UTC); none by default.
    pub now: Option<i64>,
    /// `taken` (default) or `free`.
    pub releasing: Leaving,
    /// Who will use the claims, by uid; nobody by default.
    pub user: Option<Str>,
    /// Amounts of the node that are needed beside the claims; none by default.
    pub amounts: Option<Amounts>,
    /// For many nodes: `first` (default), `best`, `all` or `count`.
    pub find: Which,
    /// How many nodes `best` wants; 1 by default.
    pub best: Option<usize>,
    /// Place of the order to begin at; 0 by default.
    pub start: usize,
    /// Whether reasons say which checks refuse devices; not by default.
    pub explain: bool,
    /// Whether the books count as empty; not by default.
    pub nothing_held: bool,
    /// Ends a search when it is set.
    #[serde(skip)]
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Says whether policies of claims and classes count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Carried {
    /// They do.
    #[default]
    Used,
    /// They do not.
    Ignored,
}

/// Says what a device does on which evaluation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Errors {
    /// It ends the question.
    Abort,
    /// It cannot be had.
    Skip,
}

/// Says what becomes of devices on their way out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Leaving {
    /// They are taken.
    #[default]
    Taken,
    /// They count as free.
    Free,
}

/// Says which nodes are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Which {
    /// The first.
    #[default]
    First,
    /// The best.
    Best,
    /// All.
    All,
    /// None: they are counted.
    Count,
}

/// Is the end of a call by the clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Until(Instant);

impl Until {
    /// Returns the end of a call that begins now and may take so long; none if
    /// that is longer than the clock can tell.
    pub fn after(duration: Duration) -> Option<Self> {
        Instant::now().checked_add(duration).map(Self)
    }
}

impl Deadline for Until {
    fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}

impl CallOptions {
    /// The options where nothing is said.
    pub const DEFAULT: Self = Self {
        policy: None,
        carried_policies: Carried::Used,
        branches: None,
        timeout_nanoseconds: None,
        errors: None,
        now: None,
        releasing: Leaving::Taken,
        user: None,
        amounts: None,
        find: Which::First,
        best: None,
        start: 0,
        explain: false,
        nothing_held: false,
        cancel: None,
    };

    /// Reads options; an empty text is the defaults.
    ///
    /// # Errors
    ///
    /// [`Code::Malformed`](dralloc::Code::Malformed) and
    /// [`Code::UnknownField`](dralloc::Code::UnknownField).
    ///
    /// # Examples
    ///
    /// ```
    /// let options = dralloc_forms::CallOptions::read(r#"{"policy": "pack", "branches": 1000}"#)?;
    /// assert_eq!(options.branches, Some(1000));
    /// # Ok::<(), dralloc::Error>(())
    /// ```
    pub fn read(json: &str) -> Result<Self, Error> {
        if json.trim().is_empty() {
            return Ok(Self::default());
        }
        read(json)
    }

    /// Returns when a call that begins now has to end.
    pub fn until(&self) -> Option<Until> {
        let nanoseconds = self.timeout_nanoseconds?;
        Until::after(Duration::from_nanos(nanoseconds))
    }

    /// Returns the options of a question to one node, which ends in time.
    pub fn allocate<'a>(&'a self, until: Option<&'a Until>) -> AllocateOptions<'a> {
        let mut options = AllocateOptions::new()
            .budget(self.budget(until))
            .carried_policies(self.carried())
            .releasing(self.releasing());
        if let Some(policy) = &self.policy {
            options = options.policy(policy);
        }
        if let Some(errors) = self.errors {
            options = options.errors(errors.into());
        }
        if let Some(now) = self.now {
            options = options.now(now);
        }
        if let Some(user) = &self.user {
            options = options.user(user);
        }
        if let Some(amounts) = &self.amounts {
            options = options.amounts(amounts);
        }
        options
    }

    /// Returns the options of a question to many nodes, which ends in time.
    pub fn place<'a>(&'a self, until: Option<&'a Until>) -> PlaceOptions<'a> {
        let find = match self.find {
            Which::First => Find::First,
            Which::Best => Find::Best(self.best.unwrap_or(1)),
            Which::All => Find::All,
            Which::Count => Find::Count,
        };
        let mut options = PlaceOptions::new()
            .budget(self.budget(until))
            .carried_policies(self.carried())
            .releasing(self.releasing())
            .find(find)
            .start(self.start)
            .explain(self.explain)
            .nothing_held(self.nothing_held);
        if let Some(policy) = &self.policy {
            options = options.policy(policy);
        }
        if let Some(errors) = self.errors {
            options = options.errors(errors.into());
        }
        if let Some(now) = self.now {
            options = options.now(now);
        }
        if let Some(user) = &self.user {
            options = options.user(user);
        }
        if let Some(amounts) = &self.amounts {
            options = options.amounts(amounts);
        }
        options
    }

    fn budget<'a>(&'a self, until: Option<&'a Until>) -> Budget<'a> {
        let mut budget = Budget::new();
        if let Some(branches) = self.branches {
            budget = budget.branches(branches);
        }
        if let Some(until) = until {
            budget = budget.deadline(until);
        }
        if let Some(cancel) = &self.cancel {
            budget = budget.cancel(cancel);
        }
        budget
    }

    fn carried(&self) -> CarriedPolicies {
        match self.carried_policies {
            Carried::Used => CarriedPolicies::Used,
            Carried::Ignored => CarriedPolicies::Ignored,
        }
    }

    fn releasing(&self) -> Releasing {
        match self.releasing {
            Leaving::Taken => Releasing::Taken,
            Leaving::Free => Releasing::Free,
        }
    }
}

impl From<Errors> for ErrorMode {
    fn from(errors: Errors) -> Self {
        match errors {
            Errors::Abort => Self::Abort,
            Errors::Skip => Self::Skip,
        }
    }
}
