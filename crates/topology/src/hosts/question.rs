//! [`SpreadQuestion`]: how many devices are wanted of which hosts.

/// Is a host, as far as it counts: where it stands, and how many devices it can give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The number of its domain for each level, the outermost first; none where it is in
    /// no such domain.
    ///
    /// A number means something within the domain of the level before only. Hosts in no
    /// domain of a level are there in one with those with which they share the next
    /// inner domain that they have, or else alone.
    pub domains: Vec<Option<u32>>,
    /// How many devices it has, held or not.
    pub devices: u32,
    /// How many of them are free.
    pub free: u32,
    /// The numbers of devices that it can give at once; any up to the free ones if there
    /// is no list. None at all can always be given.
    pub counts: Option<Vec<u32>>,
}

/// Says which slices hosts may give; a slice is what one host gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SliceRule {
    /// Any number of devices.
    #[default]
    Any,
    /// The same number on all hosts, whatever it is.
    Same,
    /// A multiple of a number.
    MultipleOf(u32),
    /// This number exactly.
    Exactly(u32),
    /// This number or more.
    AtLeast(u32),
    /// All devices of the host.
    WholeHosts,
}

/// Limits how many hosts one domain of a level may give, such as 18 of an IMEX domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostHosts {
    /// The level, by its place in [`Host::domains`].
    pub level: usize,
    /// How many hosts there may be.
    pub hosts: u32,
}

/// Asks for devices over several hosts.
///
/// # Examples
///
/// Racks with 3 and 3, and with 5 and 2 free devices: five come from one host.
///
/// ```
/// use dralloc_topology::{Host, SpreadQuestion, Spreading, spread};
///
/// let host = |rack, free| Host { domains: vec![Some(rack)], devices: 8, free, counts: None };
/// let hosts = [host(0, 3), host(0, 3), host(1, 5), host(1, 2)];
/// let answer = spread(&SpreadQuestion::new(&hosts, 1, 5))?;
/// let Spreading::Found(spread) = answer else { panic!("there are 13") };
/// assert_eq!(spread.slices, [(2, 5)]);
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SpreadQuestion<'a> {
    /// The hosts; answers name them by place.
    pub hosts: &'a [Host],
    /// How many levels of domains there are over hosts.
    pub levels: usize,
    /// How many devices are wanted.
    pub count: u32,
    /// The level of which one domain must give all, by its place in [`Host::domains`].
    pub within: Option<usize>,
    /// How many hosts a domain may give.
    pub most_hosts: Option<MostHosts>,
    /// Which slices hosts may give.
    pub slices: SliceRule,
}

impl<'a> SpreadQuestion<'a> {
    /// Returns a question without limits.
    pub fn new(hosts: &'a [Host], levels: usize, count: u32) -> Self {
        Self {
            hosts,
            levels,
            count,
            within: None,
            most_hosts: None,
            slices: SliceRule::Any,
        }
    }
}

impl Host {
    /// Returns the numbers that a host can give under a rule, ascending, without 0.
    pub(super) fn choices(&self, rule: SliceRule, count: u32) -> Vec<u32> {
        let allowed = |&number: &u32| match rule {
            SliceRule::Any | SliceRule::Same => true,
            SliceRule::MultipleOf(of) => of > 0 && number.is_multiple_of(of),
            SliceRule::Exactly(exactly) => number == exactly,
            SliceRule::AtLeast(least) => number >= least,
            SliceRule::WholeHosts => number == self.devices,
        };
        let most = self.free.min(self.devices).min(count);
        let mut choices: Vec<u32> = match &self.counts {
            None => (1..=most).filter(allowed).collect(),
            Some(counts) => counts
                .iter()
                .copied()
                .filter(|&number| number > 0 && number <= most)
                .filter(allowed)
                .collect(),
        };
        choices.sort_unstable();
        choices.dedup();
        choices
    }
}
