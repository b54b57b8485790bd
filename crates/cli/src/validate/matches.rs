//! [`Matches`]: which devices selectors match, and on which they fail.

use std::collections::BTreeMap;
use std::rc::Rc;

use dralloc::Features;
use dralloc::model::{DeviceSelector, Str};
use dralloc_cel::{Program, Scratch, Verdict};

use super::published::{Interest, Published};
use crate::cluster::{Cluster, ObjectName};

/// Is a list of selectors by their text; none for one that is of no known kind.
type Texts<'c> = Vec<Option<&'c str>>;

/// Holds the selectors of a cluster, compiled once each.
#[derive(Debug, Default)]
pub(super) struct Programs<'c> {
    /// None for what does not compile.
    by_text: BTreeMap<&'c str, Option<Program>>,
}

/// Is what a list of selectors says of devices.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// The groups of devices that match.
    pub(super) groups: Vec<usize>,
    /// By selector: where it fails.
    pub(super) failures: BTreeMap<usize, Failures>,
    /// Whether a selector cannot be asked at all: nothing is known then.
    pub(super) is_unknown: bool,
}

/// Says where a selector fails.
#[derive(Debug)]
pub(super) struct Failures {
    /// How many devices it was asked about.
    pub(super) asked: usize,
    /// On how many of them it fails.
    pub(super) devices: usize,
    /// The first group on which it does.
    pub(super) first: usize,
    /// What it says there.
    pub(super) message: String,
}

/// Asks selectors about devices, each list of them once.
#[derive(Debug)]
pub(super) struct Matches<'a, 'c> {
    cluster: &'c Cluster,
    programs: &'a Programs<'c>,
    published: &'a Published<'a>,
    classes: BTreeMap<&'c str, Rc<Selected>>,
    requests: BTreeMap<(&'c str, Texts<'c>), Rc<Selected>>,
    scratch: Scratch,
}

impl<'c> Programs<'c> {
    /// Compiles selectors that are not known yet.
    pub(super) fn add(
        &mut self,
        selectors: &'c [DeviceSelector],
        features: &Features,
        interest: &mut Interest<'c>,
    ) {
        for text in texts(selectors).into_iter().flatten() {
            self.by_text.entry(text).or_insert_with(|| {
                let program = Program::compile(text, &features.selector_options()).ok()?;
                interest.add_program(&program);
                Some(program)
            });
        }
    }

    fn get(&self, text: Option<&str>) -> Option<&Program> {
        self.by_text.get(text?)?.as_ref()
    }
}

impl<'a, 'c> Matches<'a, 'c> {
    pub(super) fn new(
        cluster: &'c Cluster,
        programs: &'a Programs<'c>,
        published: &'a Published<'a>,
    ) -> Self {
        Self {
            cluster,
            programs,
            published,
            classes: BTreeMap::new(),
            requests: BTreeMap::new(),
            scratch: Scratch::new(),
        }
    }

    /// Returns what the selectors of a class say; nothing if there is no such class.
    pub(super) fn class(&mut self, name: &'c Str) -> Option<Rc<Selected>> {
        if let Some(known) = self.classes.get(&**name) {
            return Some(Rc::clone(known));
        }
        let given = self
            .cluster
            .device_classes
            .get(&ObjectName::new("", name))?;
        let all: Vec<usize> = (0..self.published.groups.len()).collect();
        let selected = Rc::new(self.select(&all, &texts(&given.object.spec.selectors)));
        self.classes.insert(name, Rc::clone(&selected));
        Some(selected)
    }

    /// Returns what selectors of a request say of the devices of a class; nothing if there
    /// is no such class.
    pub(super) fn request(
        &mut self,
        class: &'c Str,
        selectors: &'c [DeviceSelector],
    ) -> Option<Rc<Selected>> {
        let of_class = self.class(class)?;
        let key = (&**class, texts(selectors));
        if let Some(known) = self.requests.get(&key) {
            return Some(Rc::clone(known));
        }
        let mut selected = self.select(&of_class.groups, &key.1);
        selected.is_unknown |= of_class.is_unknown;
        let selected = Rc::new(selected);
        self.requests.insert(key, Rc::clone(&selected));
        Some(selected)
    }

    /// Asks selectors in order about groups; the first that is false ends it.
    fn select(&mut self, groups: &[usize], texts: &Texts<'_>) -> Selected {
        let mut selected = Selected {
            groups: groups.to_vec(),
            ..Selected::default()
        };
        for (place, text) in texts.iter().enumerate() {
            let Some(program) = self.programs.get(*text) else {
                selected.is_unknown = true;
                continue;
            };
            let asked = self.published.count(&selected.groups);
            let mut failures: Option<Failures> = None;
            let scratch = &mut self.scratch;
            let published = self.published;
            selected.groups.retain(|place| {
                let group = &published.groups[*place];
                let error = match &group.row {
                    Ok(row) => match program.matches(row, scratch) {
                        Verdict::Match => return true,
                        Verdict::NoMatch => return false,
                        Verdict::Error(error) => error.to_string(),
                    },
                    Err(error) => error.to_string(),
                };
                let failures = failures.get_or_insert(Failures {
                    asked,
                    devices: 0,
                    first: *place,
                    message: error,
                });
                failures.devices += group.count;
                false
            });
            if let Some(failures) = failures {
                selected.failures.insert(place, failures);
            }
        }
        selected
    }
}

fn texts(selectors: &[DeviceSelector]) -> Texts<'_> {
    let texts = selectors.iter().map(|selector| {
        let cel = selector.cel.as_ref()?;
        Some(&*cel.expression)
    });
    texts.collect()
}
