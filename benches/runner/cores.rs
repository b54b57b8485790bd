//! [`Cores`]: threads that count nodes where claims fit, a part of the nodes each.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, available_parallelism};

use dralloc::{
    Budget, ErrorMode, Find, NodeList, PlaceOptions, Placement, PreparedClaims, Snapshot,
    StopCause, Workspace,
};

use crate::engine::Until;

/// Is one question: the state, the claims, and when to give up.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) snapshot: Snapshot,
    pub(crate) claims: PreparedClaims,
    pub(crate) until: Until,
}

/// Is what one thread or all of them found.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) tried: usize,
    pub(crate) feasible: usize,
    pub(crate) is_stopped: bool,
}

/// Threads that live as long as the engine does, with a workspace each, as many
/// as there are cores.
pub(crate) struct Cores {
    questions: Vec<Sender<Question>>,
    counts: Receiver<Result<Count, dralloc::Error>>,
    threads: Vec<JoinHandle<()>>,
}

impl Cores {
    /// Divides nodes among all cores.
    pub(crate) fn new(snapshot: &Snapshot, nodes: &[&str]) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let (send, counts) = channel();
        let (mut questions, mut threads) = (Vec::new(), Vec::new());
        for part in nodes.chunks(nodes.len().div_ceil(cores).max(1)) {
            let nodes = snapshot.node_list(part.iter().copied());
            let (question, asked) = channel();
            let send = send.clone();
            questions.push(question);
            threads.push(std::thread::spawn(move || work(&nodes, &asked, &send)));
        }
        Self {
            questions,
            counts,
            threads,
        }
    }

    /// Asks all nodes, all threads at once.
    pub(crate) fn ask(&self, question: &Question) -> Result<Count, dralloc::Error> {
        for thread in &self.questions {
            // One that is gone does not answer either.
            drop(thread.send(question.clone()));
        }
        let mut sum = Count::default();
        for count in self.counts.iter().take(self.questions.len()) {
            let count = count?;
            sum.tried += count.tried;
            sum.feasible += count.feasible;
            sum.is_stopped |= count.is_stopped;
        }
        Ok(sum)
    }
}

impl Drop for Cores {
    fn drop(&mut self) {
        self.questions.clear();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

fn work(
    nodes: &NodeList,
    asked: &Receiver<Question>,
    send: &Sender<Result<Count, dralloc::Error>>,
) {
    let mut workspace = Workspace::new();
    for question in asked {
        let options = PlaceOptions::new()
            .node_list(nodes)
            .find(Find::Count)
            .budget(Budget::new().deadline(&question.until))
            .errors(ErrorMode::Abort);
        let placement = question
            .snapshot
            .place(&question.claims, &options, &mut workspace);
        let count = |placement: Placement| Count {
            tried: placement.asked(),
            feasible: placement.feasible(),
            is_stopped: placement.stopped() == Some(StopCause::Deadline),
        };
        if send.send(placement.map(count)).is_err() {
            return;
        }
    }
}
