//! What is used of the amounts of nodes, as a dump has it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::document::{UseState, UsedAmounts};
use super::layout::Layout;
use crate::amounts::{self, NodeUse};
use crate::engine::form::text;
use crate::engine::uses::Uses;
use crate::error::{Code, Error};
use crate::model::Str;

/// Writes what owners use as everybody sees it.
pub(super) fn write(layout: &mut Layout, now: &BTreeMap<&Str, &Arc<NodeUse>>) {
    let lines = now.iter().map(|(owner, used)| {
        text(&UseState {
            owner: Str::clone(owner),
            uses: Some(UsedAmounts::from(&***used)),
            ..UseState::default()
        })
    });
    layout.list("nodeUses", lines);
}

/// Writes what owners use, and what of it no change has shown yet.
pub(super) fn write_known(layout: &mut Layout, known: &Uses) {
    let now: BTreeMap<&Str, &Arc<NodeUse>> = known.now.owners().collect();
    let owners: BTreeSet<&Str> = now.keys().copied().chain(known.said.keys()).collect();
    let lines = owners.into_iter().map(|owner| {
        let (used, said) = (now.get(owner).copied(), known.said.get(owner));
        let assumed = known.is_assumed(owner);
        let last_change = said.filter(|said| assumed || used != Some(*said));
        text(&UseState {
            owner: owner.clone(),
            uses: used.map(|used| UsedAmounts::from(&**used)),
            assumed,
            last_change: last_change.map(|said| UsedAmounts::from(&**said)),
        })
    });
    layout.list("nodeUses", lines);
}

impl From<&NodeUse> for UsedAmounts {
    fn from(used: &NodeUse) -> Self {
        Self {
            node: used.node.clone(),
            amounts: used.amounts.clone(),
        }
    }
}

/// Reads what an owner uses.
pub(super) fn read(known: &mut Uses, state: UseState) -> Result<(), Error> {
    let UseState {
        owner,
        uses: now,
        assumed,
        last_change,
    } = state;
    if known.now.of(&owner).is_some() || known.said.contains_key(&owner) {
        let message = format!("owner `{owner}` comes twice, expected each owner once");
        return Err(Error::new(Code::Duplicate, message).at("owner"));
    }
    if now.is_none() && (assumed || last_change.is_none()) {
        let message = format!("owner `{owner}` uses nothing, expected amounts of a node");
        return Err(Error::new(Code::Invalid, message).at("uses"));
    }
    let of_owner = |name, used: Option<UsedAmounts>| {
        let Some(UsedAmounts { node, amounts }) = used else {
            return Ok::<_, Error>(None);
        };
        amounts::check(&amounts).map_err(|error| error.under(name))?;
        let owner = owner.clone();
        Ok(Some(Arc::new(NodeUse {
            owner,
            node,
            amounts,
        })))
    };
    let now = of_owner("uses", now)?;
    let said = of_owner("lastChange", last_change)?;
    let said = if assumed { said } else { said.or(now.clone()) };
    if let Some(said) = said {
        known.said.insert(owner.clone(), said);
    }
    if assumed {
        known.assumed.insert(owner.clone());
    }
    Arc::make_mut(&mut known.now).set(&owner, now);
    Ok(())
}
