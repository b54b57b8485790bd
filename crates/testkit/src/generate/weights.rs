//! [`Weights`]: how likely a case has each trait.

use super::{Group, Profile, Random};

/// Percentages, one per trait, and the size of the case. A case about several
/// groups has the highest percentage that any of them asks for.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Highest number of devices.
    pub devices: usize,
    /// Highest number of devices asked for by all claims together.
    pub picks: usize,
    pub drivers: usize,
    pub several_claims: usize,
    pub several_slices: usize,
    pub odd_pools: usize,
    pub invalid_pools: usize,
    pub node_selection: usize,
    pub device_nodes: usize,
    pub partitions: usize,
    pub compatibility_groups: usize,
    pub multiple_allocations: usize,
    pub policies: usize,
    pub fractions: usize,
    pub capacity_requests: usize,
    pub held: usize,
    pub changed: usize,
    pub admin: usize,
    pub taints: usize,
    pub binding: usize,
    pub config: usize,
    pub first_available: usize,
    pub all: usize,
    pub match_attribute: usize,
    pub distinct_attribute: usize,
    pub lists: usize,
    pub derived: usize,
    pub node_operations: usize,
    pub selectors: usize,
    pub odd_selectors: usize,
    pub gates: usize,
    pub odd_quantities: usize,
    pub odd_counts: usize,
    pub twins: usize,
    pub malformed: usize,
    pub limits: bool,
}

impl Weights {
    /// Returns the weights of a case about the given groups.
    pub(super) fn new(profile: Profile, groups: &[Group], random: &mut Random) -> Self {
        let (devices, picks) = match profile {
            Profile::Small => (random.between(2, 8), random.between(1, 4)),
            Profile::Medium => (random.between(2, 18), random.between(1, 9)),
        };
        let mut weights = Self {
            devices,
            picks,
            drivers: 1 + random.below(3) / 2,
            several_claims: 20,
            several_slices: 25,
            odd_pools: 2,
            invalid_pools: 0,
            node_selection: 8,
            device_nodes: 2,
            partitions: 4,
            compatibility_groups: 0,
            multiple_allocations: 5,
            policies: 30,
            fractions: 0,
            capacity_requests: 8,
            held: 15,
            changed: 0,
            admin: 1,
            taints: 5,
            binding: 4,
            config: 5,
            first_available: 8,
            all: 5,
            match_attribute: 10,
            distinct_attribute: 8,
            lists: 3,
            derived: 2,
            node_operations: 2,
            selectors: 15,
            odd_selectors: 1,
            gates: 0,
            odd_quantities: 0,
            odd_counts: 0,
            twins: 1,
            malformed: 0,
            limits: false,
        };
        for group in groups {
            weights.add(*group, profile);
        }
        weights.limits = profile == Profile::Medium && groups.first() == Some(&Group::Limits);
        if weights.limits {
            weights.many(random);
        }
        weights
    }

    /// Makes a case of many devices that are much alike: with a choice among
    /// them, Kubernetes' search would not end in time.
    fn many(&mut self, random: &mut Random) {
        self.devices = random.between(35, 44);
        self.picks = random.between(20, 33);
        self.drivers = 1;
        for weight in [
            &mut self.several_claims,
            &mut self.held,
            &mut self.selectors,
            &mut self.match_attribute,
            &mut self.distinct_attribute,
            &mut self.taints,
            &mut self.binding,
            &mut self.partitions,
            &mut self.node_selection,
            &mut self.capacity_requests,
            &mut self.odd_pools,
        ] {
            *weight /= 6;
        }
    }

    fn add(&mut self, group: Group, profile: Profile) {
        let raise = |weight: &mut usize, percent: usize| *weight = (*weight).max(percent);
        match group {
            Group::Basic => {}
            Group::Pools => {
                raise(&mut self.several_slices, 70);
                raise(&mut self.odd_pools, 30);
                self.drivers = 3;
            }
            Group::Invalid => raise(&mut self.invalid_pools, 40),
            Group::Nodes => raise(&mut self.node_selection, 70),
            Group::DeviceNodes => raise(&mut self.device_nodes, 80),
            Group::Counters => raise(&mut self.partitions, 85),
            Group::Capacity => {
                raise(&mut self.multiple_allocations, 75);
                raise(&mut self.policies, 70);
                raise(&mut self.capacity_requests, 60);
            }
            Group::Fraction => {
                raise(&mut self.multiple_allocations, 75);
                raise(&mut self.policies, 80);
                raise(&mut self.capacity_requests, 70);
                raise(&mut self.fractions, 80);
            }
            Group::SharedParts => {
                raise(&mut self.partitions, 80);
                raise(&mut self.multiple_allocations, 60);
                raise(&mut self.capacity_requests, 30);
            }
            Group::Held => {
                raise(&mut self.held, 60);
                raise(&mut self.changed, 25);
                raise(&mut self.multiple_allocations, 35);
                raise(&mut self.partitions, 30);
            }
            Group::Admin => {
                raise(&mut self.admin, 55);
                raise(&mut self.held, 35);
                raise(&mut self.several_claims, 50);
            }
            Group::Taints => raise(&mut self.taints, 55),
            Group::Binding => raise(&mut self.binding, 60),
            Group::Config => raise(&mut self.config, 80),
            Group::Prioritized => raise(&mut self.first_available, 75),
            Group::All => raise(&mut self.all, 50),
            Group::Match => raise(&mut self.match_attribute, 85),
            Group::Distinct => raise(&mut self.distinct_attribute, 85),
            Group::Lists => {
                raise(&mut self.lists, 70);
                raise(&mut self.match_attribute, 55);
                raise(&mut self.distinct_attribute, 40);
            }
            Group::Derived => {
                raise(&mut self.derived, 75);
                raise(&mut self.match_attribute, 70);
            }
            Group::CompatibilityGroups => {
                raise(&mut self.compatibility_groups, 70);
                raise(&mut self.partitions, 95);
            }
            Group::NodeOperations => raise(&mut self.node_operations, 60),
            Group::Selectors => {
                raise(&mut self.selectors, 90);
                raise(&mut self.odd_selectors, 25);
            }
            Group::Claims => {
                raise(&mut self.several_claims, 100);
                if profile == Profile::Medium {
                    self.picks = self.picks.max(6);
                }
            }
            Group::Limits => {
                raise(&mut self.odd_counts, 5);
                raise(&mut self.first_available, 25);
            }
            Group::Gates => raise(&mut self.gates, 20),
            Group::Oddities => {
                raise(&mut self.odd_quantities, 25);
                raise(&mut self.odd_counts, 12);
                raise(&mut self.multiple_allocations, 50);
                raise(&mut self.capacity_requests, 50);
                raise(&mut self.partitions, 40);
            }
            Group::Twins => {
                raise(&mut self.twins, 95);
                raise(&mut self.held, 35);
                raise(&mut self.several_claims, 40);
                raise(&mut self.multiple_allocations, 20);
                raise(&mut self.node_selection, 25);
                raise(&mut self.device_nodes, 10);
                raise(&mut self.admin, 8);
                raise(&mut self.all, 15);
                self.drivers = 3;
            }
            Group::Malformed => {
                raise(&mut self.malformed, 8);
                raise(&mut self.odd_counts, 8);
            }
        }
    }
}
