//! Checks certificates: proofs that claims do not fit.
//!
//! What is asked for, which devices can serve and what is left is found out
//! here, by the same rules that answers are checked with. A certificate says
//! only which sums to make and which cases to tell apart.

mod case;
mod count;
mod fault;
mod groups;
mod least;
mod names;
mod objective;
mod optimality;
mod others;
mod parts;
mod question;
mod required;
mod split;
mod sum;
mod walk;

use std::sync::Arc;

use super::violation::{Report, Violation};
use super::{World, pools, requests};
use crate::claims::owner_of;
use crate::engine::{Snapshot, Transaction};
use crate::model::ResourceClaim;
use crate::proof::Certificate;
use crate::rules;
use crate::state::{Draft, Holding};
use crate::store::Inventory;
use question::Question;
use required::Known;
use walk::Walk;

impl Snapshot {
    /// Checks a proof that claims do not fit on a node beside what is held.
    ///
    /// The claims are those of the question, in the same order. A claim that is
    /// allocated already, as [`Transaction::allocate`] means it, is no part of
    /// it. Every device, number and case of the certificate is compared with
    /// what the objects and the books say.
    ///
    /// # Errors
    ///
    /// What is wrong with the claims, or with the first step that is wrong.
    pub fn verify_certificate(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        certificate: &Certificate,
    ) -> Result<(), Vec<Violation>> {
        let books = Books {
            snapshot: self,
            inventory: &self.inventory,
            held: &Draft::new(Arc::clone(&self.state)),
        };
        books.check(node, claims, certificate)
    }
}

impl Transaction {
    /// Checks a proof as [`Snapshot::verify_certificate`] does, against what is
    /// held in the transaction.
    ///
    /// # Errors
    ///
    /// What is wrong with the claims, or with the first step that is wrong.
    pub fn verify_certificate(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        certificate: &Certificate,
    ) -> Result<(), Vec<Violation>> {
        let books = Books {
            snapshot: self.snapshot(),
            inventory: self.inventory(),
            held: &self.draft,
        };
        books.check(node, claims, certificate)
    }
}

/// Is what a certificate is checked against.
struct Books<'a> {
    snapshot: &'a Snapshot,
    inventory: &'a Inventory,
    held: &'a Draft,
}

/// Is a question as [`Books::ask`] reads it.
struct Asked<'q, 'w, 'a> {
    question: &'q Question<'w, 'a>,
    /// Which claims have what they need, and whether that is of use on the node.
    reached: &'q [Option<bool>],
    /// Which claims are on their way out.
    releasing: &'q [bool],
}

impl Books<'_> {
    /// Reads what claims ask for on a node, and checks something about it.
    fn ask(
        &self,
        (node, claims): (&str, &[ResourceClaim]),
        (releasing_is_free, policies_are_ignored): (bool, bool),
        check: impl FnOnce(&Asked<'_, '_, '_>, &mut Report),
    ) -> Result<(), Vec<Violation>> {
        let (inventory, mut report) = (self.inventory, Report::default());
        let Some((node_object, pools)) = pools::of_node(inventory, node, &mut report) else {
            return report.into_result();
        };
        let mut held = self.held.clone();
        if releasing_is_free {
            for owner in self.held.releasing() {
                held.set(&owner, Holding::default(), None);
            }
        }
        let (mut reached, mut releasing) = (Vec::new(), Vec::new());
        for claim in claims {
            let owner = owner_of(claim);
            let news = self.snapshot.news_of(&held, claim);
            let known = self.held.holding(&owner).map(|holding| &**holding);
            let holding = news.as_ref().or(known);
            let is_releasing = holding.is_some_and(|holding| holding.releasing);
            releasing.push(is_releasing || claim.metadata.deletion_timestamp.is_some());
            let grant = holding.and_then(|holding| holding.grant.as_ref());
            reached.push(grant.map(|grant| rules::reaches(&grant.result(), node_object)));
            if let Some(news) = news {
                held.set(&owner, news, None);
            }
        }
        let world = World {
            features: inventory.features(),
            inventory,
            node: node_object,
            pools,
            held: &held,
        };
        let mut asked = Vec::with_capacity(claims.len());
        for (index, claim) in claims.iter().enumerate() {
            let path = format!("claims[{index}].spec.devices");
            let is_asked = reached[index].is_none();
            let read = is_asked.then(|| requests::read(claim, inventory, &path, &mut report));
            asked.push(read.flatten().unwrap_or_default());
        }
        if report.is_empty() {
            let graphs = self.snapshot.graphs();
            let known = (!policies_are_ignored).then(|| Known::of(&world, graphs, claims, &asked));
            let question = Question::new(&world, claims, &asked, known.flatten());
            let asked = Asked {
                question: &question,
                reached: &reached,
                releasing: &releasing,
            };
            check(&asked, &mut report);
        }
        report.into_result()
    }

    fn check(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        certificate: &Certificate,
    ) -> Result<(), Vec<Violation>> {
        self.ask(
            (node, claims),
            (
                certificate.releasing_is_free,
                certificate.policies_are_ignored,
            ),
            |asked, report| {
                let walk = Walk {
                    question: asked.question,
                    reached: asked.reached,
                    releasing: asked.releasing,
                    goal: None,
                };
                walk.steps(&certificate.steps, "", report);
            },
        )
    }
}
