//! [`CallOptions`]: how a question is asked, owned.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dralloc::model::{Amounts, Str};
use dralloc::{
    AllocateOptions, Budget, CarriedPolicies, Code, Deadline, DomainScope, Error, ErrorMode, Find,
    GangOptions, PlaceOptions, Policy, Releasing,
};
use serde::Deserialize;

use crate::gang::{GangRules, MostNodesForm, RulesForm};
use crate::text::read;

/// Says how a question to one node or to many, or about a gang, is asked.
///
/// Its form in JSON has the same fields in Kubernetes' spelling, all of them
/// optional, but for the cancel flag.
#[derive(Clone, Debug)]
pub struct CallOptions {
    /// A preset by name, or a list of terms; by default what claims carry counts.
    pub policy: Option<Policy>,
    /// `used` (default) or `ignored`.
    pub carried_policies: CarriedPolicies,
    /// Ends a search after so many branches; no limit by default.
    pub branches: Option<u64>,
    /// Ends a search after so long from the beginning of the call, in
    /// `timeoutNanoseconds`; no limit by default.
    pub timeout: Option<Duration>,
    /// `abort` or `skip`; by default as the policy has it, `skip` for many nodes.
    pub errors: Option<ErrorMode>,
    /// Seconds since 1970 (UTC); none by default.
    pub now: Option<i64>,
    /// `taken` (default) or `free`.
    pub releasing: Releasing,
    /// Who will use the claims, by uid; nobody by default.
    pub user: Option<Str>,
    /// Amounts of the node that are needed beside the claims; none by default.
    pub amounts: Option<Amounts>,
    /// For many nodes: `first` (default), `best` (as many as the field `best` says,
    /// 1 by default), `all` or `count`.
    pub find: Find,
    /// Place of the order to begin at; 0 by default.
    pub start: usize,
    /// Whether reasons say which checks refuse devices; not by default.
    pub explain: bool,
    /// Whether the books count as empty; not by default.
    pub nothing_held: bool,
    /// For a gang: which nodes its members may use together; in JSON its fields are
    /// among the others.
    pub gang: GangRules,
    /// Ends a search when it is set.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Is what is read of options.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OptionsForm {
    policy: Option<Policy>,
    carried_policies: Option<Str>,
    branches: Option<i64>,
    timeout_nanoseconds: Option<i64>,
    errors: Option<Str>,
    now: Option<i64>,
    releasing: Option<Str>,
    user: Option<Str>,
    amounts: Option<Amounts>,
    find: Option<Str>,
    best: Option<i64>,
    start: Option<i64>,
    explain: bool,
    nothing_held: bool,
    labels: BTreeMap<Str, Str>,
    within: Option<Str>,
    most_nodes: Option<MostNodesForm>,
    slices: Option<Str>,
    slice_size: Option<i64>,
}

impl OptionsForm {
    fn options(self) -> Result<CallOptions, Error> {
        let carried = [
            ("used", CarriedPolicies::Used),
            ("ignored", CarriedPolicies::Ignored),
        ];
        let errors = [("abort", ErrorMode::Abort), ("skip", ErrorMode::Skip)];
        let releasing = [("taken", Releasing::Taken), ("free", Releasing::Free)];
        let gang = RulesForm {
            labels: self.labels,
            within: self.within,
            most_nodes: self.most_nodes,
            slices: self.slices,
            slice_size: self.slice_size,
        };
        let timeout = natural(self.timeout_nanoseconds, "timeoutNanoseconds")?;
        let best = natural(self.best, "best")?.map_or(1, saturated);
        let find = [
            ("first", Find::First),
            ("best", Find::Best(best)),
            ("all", Find::All),
            ("count", Find::Count),
        ];
        Ok(CallOptions {
            policy: self.policy,
            carried_policies: one_of(
                self.carried_policies.as_deref(),
                &carried,
                "carriedPolicies",
            )?
            .unwrap_or_default(),
            branches: natural(self.branches, "branches")?,
            timeout: timeout.map(Duration::from_nanos),
            errors: one_of(self.errors.as_deref(), &errors, "errors")?,
            now: self.now,
            releasing: one_of(self.releasing.as_deref(), &releasing, "releasing")?
                .unwrap_or_default(),
            user: self.user,
            amounts: self.amounts,
            find: one_of(self.find.as_deref(), &find, "find")?.unwrap_or_default(),
            start: natural(self.start, "start")?.map_or(0, saturated),
            explain: self.explain,
            nothing_held: self.nothing_held,
            gang: gang.rules()?,
            cancel: None,
        })
    }
}

/// Returns what a word stands for.
pub(crate) fn one_of<T: Copy>(
    word: Option<&str>,
    words: &[(&str, T)],
    path: &str,
) -> Result<Option<T>, Error> {
    let Some(word) = word else { return Ok(None) };
    if let Some((_, value)) = words.iter().find(|(known, _)| *known == word) {
        return Ok(Some(*value));
    }
    let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
    let message = format!("`{word}`, expected one of {}", known.join(", "));
    Err(Error::new(Code::Malformed, message).at(path))
}

/// Returns a number that is not negative.
pub(crate) fn natural(number: Option<i64>, path: &str) -> Result<Option<u64>, Error> {
    let natural = number.map(u64::try_from).transpose();
    natural.map_err(|_| {
        let message = format!("`{}`, expected 0 or more", number.unwrap_or_default());
        Error::new(Code::Malformed, message).at(path)
    })
}

/// Returns a number that fits; one beyond it has no end either.
fn saturated(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
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
        carried_policies: CarriedPolicies::Used,
        branches: None,
        timeout: None,
        errors: None,
        now: None,
        releasing: Releasing::Taken,
        user: None,
        amounts: None,
        find: Find::First,
        start: 0,
        explain: false,
        nothing_held: false,
        gang: GangRules::DEFAULT,
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
            return Ok(Self::DEFAULT);
        }
        read::<OptionsForm>(json)?.options()
    }

    /// Returns when a call that begins now has to end.
    pub fn until(&self) -> Option<Until> {
        Until::after(self.timeout?)
    }

    /// Returns the options of a question to one node, which ends in time.
    pub fn allocate<'a>(&'a self, until: Option<&'a Until>) -> AllocateOptions<'a> {
        let mut options = AllocateOptions::new()
            .budget(self.budget(until))
            .carried_policies(self.carried_policies)
            .releasing(self.releasing);
        if let Some(policy) = &self.policy {
            options = options.policy(policy);
        }
        if let Some(errors) = self.errors {
            options = options.errors(errors);
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
        let mut options = PlaceOptions::new()
            .budget(self.budget(until))
            .carried_policies(self.carried_policies)
            .releasing(self.releasing)
            .find(self.find)
            .start(self.start)
            .explain(self.explain)
            .nothing_held(self.nothing_held);
        if let Some(policy) = &self.policy {
            options = options.policy(policy);
        }
        if let Some(errors) = self.errors {
            options = options.errors(errors);
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

    /// Returns the options of a question about a gang, which ends in time; `labels` are
    /// those of the rules ([`GangRules::labels`]).
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] where there is a user or amounts: these are of one pod.
    pub fn gang<'a>(
        &'a self,
        until: Option<&'a Until>,
        labels: &'a [(DomainScope, &'a str)],
    ) -> Result<GangOptions<'a>, Error> {
        let of_one = [
            (self.user.is_some(), "user"),
            (self.amounts.is_some(), "amounts"),
        ];
        if let Some((_, path)) = of_one.iter().find(|(is_there, _)| *is_there) {
            let message = "a gang has many pods, expected no option of one";
            return Err(Error::new(Code::Unsupported, message).at(*path));
        }
        let mut options = GangOptions::new()
            .budget(self.budget(until))
            .carried_policies(self.carried_policies)
            .releasing(self.releasing)
            .labels(labels)
            .slices(self.gang.slices);
        if let Some(policy) = &self.policy {
            options = options.policy(policy);
        }
        if let Some(errors) = self.errors {
            options = options.errors(errors);
        }
        if let Some(now) = self.now {
            options = options.now(now);
        }
        if let Some(scope) = self.gang.within {
            options = options.within(scope);
        }
        if let Some((scope, nodes)) = self.gang.most_nodes {
            options = options.most_nodes(scope, nodes);
        }
        Ok(options)
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
}

impl Default for CallOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}
