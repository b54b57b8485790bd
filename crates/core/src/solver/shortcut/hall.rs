//! [`Matching`]: whether all requests can get devices at once.

use super::set::Set;

/// Is what a request still wants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need {
    /// The devices that it can have; some of them may be gone.
    pub(super) devices: Set,
    pub(super) count: usize,
}

/// Keeps devices for each request, each for one only.
///
/// By Hall's theorem there are enough for all exactly if each set of requests
/// finds as many devices as it needs. Instead of looking at all sets, it looks
/// for a way to move devices from request to request whenever one lacks some.
/// It is kept from one question to the next, as most of it still holds then.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// By request.
    kept: Vec<Set>,
    /// How many of them there are.
    counts: Vec<usize>,
    all: Set,
    /// Requests in the order in which they are asked to give a device away.
    asked: Vec<usize>,
    /// By request: who wants which of its devices.
    wanted: Vec<(usize, usize)>,
}

impl Matching {
    /// Forgets everything.
    pub(super) fn reset(&mut self, requests: usize) {
        self.kept.clear();
        self.kept.resize(requests, Set::default());
        self.counts.clear();
        self.counts.resize(requests, 0);
        self.wanted.clear();
        self.wanted.resize(requests, (0, 0));
        self.all = Set::default();
    }

    /// Returns the devices that are kept for a request.
    pub(super) fn kept(&self, request: usize) -> &Set {
        &self.kept[request]
    }

    /// Returns whether all needs can be met at once by devices that are not gone.
    ///
    /// What it keeps is a proof of "yes"; "no" is exact as well, as far as only
    /// these sets matter. There are at most 64 needs.
    pub(super) fn meets(&mut self, needs: &[Need], gone: &Set) -> bool {
        for (request, need) in needs.iter().enumerate() {
            if self.counts[request] > 0 {
                self.let_go(request, need, gone);
            }
        }
        needs.iter().enumerate().all(|(request, need)| {
            self.counts[request] >= need.count || self.fill(request, needs, gone)
        })
    }

    /// Drops what a request cannot have, and what it has no need for.
    fn let_go(&mut self, request: usize, need: &Need, gone: &Set) {
        let mut allowed = need.devices;
        allowed.subtract(gone);
        let mut lost = self.kept[request];
        lost.subtract(&allowed);
        if !lost.is_empty() {
            self.kept[request].subtract(&lost);
            self.all.subtract(&lost);
            self.counts[request] = self.kept[request].len();
        }
        while self.counts[request] > need.count
            && let Some(device) = self.kept[request].next(0)
        {
            self.kept[request].remove(device);
            self.all.remove(device);
            self.counts[request] -= 1;
        }
    }

    fn fill(&mut self, request: usize, needs: &[Need], gone: &Set) -> bool {
        let need = &needs[request];
        let mut free = need.devices;
        free.subtract(gone);
        free.subtract(&self.all);
        for device in free.iter() {
            self.keep(request, device);
            if self.counts[request] == need.count {
                return true;
            }
        }
        // Nothing that it can have is free now.
        while self.counts[request] < need.count {
            if !self.move_one(request, needs, gone) {
                return false;
            }
        }
        true
    }

    fn keep(&mut self, request: usize, device: usize) {
        self.kept[request].insert(device);
        self.all.insert(device);
        self.counts[request] += 1;
    }

    /// Finds one more device for a request, breadth first: others give one away
    /// and get another.
    fn move_one(&mut self, request: usize, needs: &[Need], gone: &Set) -> bool {
        let mut seen = *gone;
        let mut unasked = !0_u64 ^ 1 << request;
        self.asked.clear();
        self.asked.push(request);
        let mut next = 0;
        while let Some(who) = self.asked.get(next).copied() {
            next += 1;
            let mut new = needs[who].devices;
            new.subtract(&seen);
            let mut free = new;
            free.subtract(&self.all);
            if let Some(device) = free.next(0) {
                self.shift(request, who, device);
                return true;
            }
            if new.is_empty() {
                continue;
            }
            seen.unite(&new);
            for other in 0..needs.len() {
                if unasked >> other & 1 == 0 || self.counts[other] == 0 {
                    continue;
                }
                let mut given = self.kept[other];
                given.intersect(&new);
                if let Some(device) = given.next(0) {
                    unasked ^= 1 << other;
                    self.wanted[other] = (who, device);
                    self.asked.push(other);
                }
            }
        }
        false
    }

    /// Gives a free device to a request, and what that had to whom wants it,
    /// and so on to the one that lacks one.
    fn shift(&mut self, lacking: usize, mut who: usize, free: usize) {
        self.kept[who].insert(free);
        self.all.insert(free);
        while who != lacking {
            let (other, device) = self.wanted[who];
            self.kept[who].remove(device);
            self.kept[other].insert(device);
            who = other;
        }
        self.counts[lacking] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(count: usize, devices: impl IntoIterator<Item = usize>) -> Need {
        let mut need = Need {
            count,
            ..Need::default()
        };
        devices
            .into_iter()
            .for_each(|device| need.devices.insert(device));
        need
    }

    fn fits(needs: &[Need], gone: &[usize]) -> bool {
        let mut matching = Matching::default();
        matching.reset(needs.len());
        matching.meets(needs, &need(0, gone.iter().copied()).devices)
    }

    #[test]
    fn as_many_as_there_are_and_one_more() {
        assert!(fits(&[need(17, 0..31), need(14, 0..15)], &[]));
        assert!(!fits(&[need(17, 0..31), need(15, 0..15)], &[]));
        assert!(!fits(&[need(17, 0..31), need(14, 0..15)], &[200, 20]));
        let single = [need(1, 0..31); 32];
        assert!(fits(&single[..31], &[]));
        assert!(!fits(&single, &[]));
        assert!(fits(&[], &[]));
    }

    /// Each wants two neighbours of a chain, and only the last has one for itself.
    #[test]
    fn devices_move_along_a_chain() {
        let chain: Vec<Need> = (0..40)
            .map(|place| need(1, [200 - place, 201 - place]))
            .collect();
        assert!(fits(&chain, &[]));
        assert!(fits(&chain, &[201]));
        assert!(fits(&chain, &[161]));
        assert!(!fits(&chain, &[201, 161]));
    }

    /// Against all sets of needs, as Hall's theorem says it.
    #[test]
    fn it_agrees_with_halls_theorem() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut yes, mut no) = (0, 0);
        let mut matching = Matching::default();
        matching.reset(5);
        for _ in 0..20_000 {
            let mut needs: Vec<Need> = Vec::new();
            for _ in 0..5 {
                let word = random(1 << 10);
                let devices = (0..10).filter(|bit| word >> bit & 1 == 1);
                needs.push(need(
                    usize::try_from(random(4)).unwrap(),
                    devices.map(|bit| bit * 23),
                ));
            }
            let gone = need(0, [23 * usize::try_from(random(10)).unwrap()]).devices;
            let enough = (0..32_u32).all(|set| {
                let chosen = || (0..5).filter(|place| set >> place & 1 == 1);
                let mut union = Set::default();
                chosen().for_each(|place| union.unite(&needs[place].devices));
                union.subtract(&gone);
                chosen().map(|place| needs[place].count).sum::<usize>() <= union.len()
            });
            // What was kept for the needs before is no hindrance.
            assert_eq!(matching.meets(&needs, &gone), enough);
            yes += u32::from(enough);
            no += u32::from(!enough);
        }
        assert!(yes > 2_000 && no > 2_000, "{yes} {no}");
    }
}
