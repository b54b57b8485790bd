//! [`OptionsForm`]: what questions were asked with.

use serde::{Deserialize, Serialize};

use super::arguments::unexpected;
use crate::budget::Budget;
use crate::engine::{AllocateOptions, CarriedPolicies, ErrorMode, Find, PlaceOptions, Releasing};
use crate::error::Error;
use crate::model::{Amounts, Str};
use crate::objective::Policy;

/// Is what a question was asked with; what is not there is the default.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OptionsForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Policy>,
    /// `ignored`, or nothing for `used`.
    #[serde(skip_serializing_if = "str::is_empty")]
    carried_policies: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<i64>,
    /// Whether there was a deadline or a cancel flag, which may have ended the call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) may_stop: bool,
    /// `abort` or `skip`, or nothing for what the policy has.
    #[serde(skip_serializing_if = "str::is_empty")]
    errors: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<i64>,
    /// `free`, or nothing for `taken`.
    #[serde(skip_serializing_if = "str::is_empty")]
    releasing: Str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    explain: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    nothing_held: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    find: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amounts: Option<Amounts>,
    /// The place of the order where the question began.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<i64>,
}

/// Returns a number that fits in a line; one beyond it has no end either.
fn bounded(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl From<&AllocateOptions<'_>> for OptionsForm {
    fn from(options: &AllocateOptions<'_>) -> Self {
        let errors = match options.errors {
            None => "",
            Some(ErrorMode::Abort) => "abort",
            Some(ErrorMode::Skip) => "skip",
        };
        let releasing = match options.releasing {
            Releasing::Taken => "",
            Releasing::Free => "free",
        };
        let carried_policies = match options.carried {
            CarriedPolicies::Used => "",
            CarriedPolicies::Ignored => "ignored",
        };
        Self {
            policy: options.policy.cloned(),
            carried_policies: carried_policies.into(),
            branches: options.budget.limit().map(bounded),
            may_stop: options.budget.may_stop(),
            errors: errors.into(),
            now: options.now,
            releasing: releasing.into(),
            user: options.user.map(Str::from),
            amounts: options.amounts.cloned(),
            ..Self::default()
        }
    }
}

impl From<&PlaceOptions<'_>> for OptionsForm {
    fn from(options: &PlaceOptions<'_>) -> Self {
        let (find, best) = match options.find {
            Find::First => ("first", None),
            Find::Best(most) => ("best", Some(bounded(most as u64))),
            Find::All => ("all", None),
            Find::Count => ("count", None),
        };
        Self {
            explain: options.explain,
            nothing_held: options.on_a_node.nothing_held,
            find: find.into(),
            best,
            nodes: options.order.names(),
            start: (options.start > 0).then(|| bounded(options.start as u64)),
            ..Self::from(&options.on_a_node)
        }
    }
}

impl OptionsForm {
    fn budget(&self) -> Budget<'static> {
        let budget = Budget::new();
        let branches = self
            .branches
            .and_then(|branches| u64::try_from(branches).ok());
        branches.map_or(budget, |branches| budget.branches(branches))
    }

    fn errors(&self) -> Result<Option<ErrorMode>, Error> {
        match &*self.errors {
            "" => Ok(None),
            "abort" => Ok(Some(ErrorMode::Abort)),
            "skip" => Ok(Some(ErrorMode::Skip)),
            _ => Err(unexpected("`abort` or `skip`").at("options.errors")),
        }
    }

    fn releasing(&self) -> Result<Releasing, Error> {
        match &*self.releasing {
            "" | "taken" => Ok(Releasing::Taken),
            "free" => Ok(Releasing::Free),
            _ => Err(unexpected("`taken` or `free`").at("options.releasing")),
        }
    }

    fn carried_policies(&self) -> Result<CarriedPolicies, Error> {
        match &*self.carried_policies {
            "" | "used" => Ok(CarriedPolicies::Used),
            "ignored" => Ok(CarriedPolicies::Ignored),
            _ => Err(unexpected("`used` or `ignored`").at("options.carriedPolicies")),
        }
    }

    pub(super) fn allocate(&self) -> Result<AllocateOptions<'_>, Error> {
        let mut options = AllocateOptions::new()
            .budget(self.budget())
            .carried_policies(self.carried_policies()?)
            .releasing(self.releasing()?);
        options.policy = self.policy.as_ref();
        options.errors = self.errors()?;
        options.now = self.now;
        options.user = self.user.as_deref();
        options.amounts = self.amounts.as_ref();
        Ok(options)
    }

    /// Returns the options, but for the nodes.
    pub(super) fn place(&self) -> Result<PlaceOptions<'_>, Error> {
        let best = usize::try_from(self.best.unwrap_or_default()).unwrap_or(usize::MAX);
        let find = match &*self.find {
            "first" => Find::First,
            "best" => Find::Best(best),
            "all" => Find::All,
            "count" => Find::Count,
            _ => return Err(unexpected("`first`, `best`, `all` or `count`").at("options.find")),
        };
        let start = usize::try_from(self.start.unwrap_or_default()).unwrap_or(usize::MAX);
        let options = PlaceOptions::new().start(start).find(find);
        let mut options = options.explain(self.explain);
        options.on_a_node = self.allocate()?;
        Ok(options.nothing_held(self.nothing_held))
    }

    pub(super) fn nodes(&self) -> Option<Vec<&str>> {
        let nodes = self.nodes.as_ref()?;
        Some(nodes.iter().map(|name| &**name).collect())
    }
}
