//! Warnings about devices that are one thing, published twice.

use std::collections::BTreeMap;

use dralloc::model::{DeviceAttribute, Str};
use dralloc::{PublishedDevice, PublishedPool};

use super::super::code::Code;
use super::super::findings::Findings;
use super::super::published::name_of;
use super::Context;
use super::pools::object_of;
use crate::words::counted;

/// The standard attribute with the address on the bus.
const BUS_ID: &str = "resource.kubernetes.io/pciBusID";

/// Is two devices at one place of a bus, and how often their drivers do the same.
struct Twice<'s> {
    bus_id: &'s str,
    first: PublishedDevice<'s>,
    second: PublishedDevice<'s>,
    more: usize,
}

/// Says which devices are at one place of a bus, with nothing that keeps claims from
/// getting both.
pub(super) fn check<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    let mut known: BTreeMap<(&str, &str), PublishedDevice<'_>> = BTreeMap::new();
    let mut twice: BTreeMap<(&str, &str), Twice<'_>> = BTreeMap::new();
    let pools = context.published.pools.iter();
    for found in pools.flat_map(PublishedPool::devices) {
        let driver = &*found.slice.spec.driver;
        let Some(node) = found.node() else { continue };
        let Some(DeviceAttribute::String(bus_id)) = found.device.attribute(driver, BUS_ID) else {
            continue;
        };
        let Some(first) = known.get(&(node, &**bus_id)).copied() else {
            known.insert((node, bus_id), found);
            continue;
        };
        if shares_counters(&first, &found) {
            continue;
        }
        let drivers = (&*first.slice.spec.driver, driver);
        let one = twice.entry(drivers).or_insert(Twice {
            bus_id,
            first,
            second: found,
            more: 0,
        });
        one.more += 1;
    }
    for Twice {
        bus_id,
        first,
        second,
        more,
    } in twice.into_values()
    {
        let Some(object) = object_of(context.cluster, second.slice) else {
            continue;
        };
        let devices = second.slice.spec.devices.iter();
        let place = devices
            .take_while(|one| one.name != second.device.name)
            .count();
        let path = format!("spec.devices[{place}]");
        let elsewhere = match more - 1 {
            0 => String::new(),
            1 => "; so is 1 more device".to_owned(),
            more => format!("; so are {}", counted(more, "more device")),
        };
        let message = format!(
            "`{}` is at {bus_id}, as `{}` is, and they share no counters: \
             both may be allocated at once{elsewhere}",
            name_of(&second),
            name_of(&first)
        );
        findings.add(Code::SameBusId, object, path, message);
    }
}

/// Returns whether two devices of a pool draw on one set of counters.
fn shares_counters(one: &PublishedDevice<'_>, other: &PublishedDevice<'_>) -> bool {
    let pool = |found: &PublishedDevice<'_>| {
        let spec = &found.slice.spec;
        (spec.driver.clone(), spec.pool.name.clone())
    };
    let sets = |found: &PublishedDevice<'_>| -> Vec<Str> {
        let sets = found.device.consumes_counters.iter();
        sets.map(|one| one.counter_set.clone()).collect()
    };
    let others = sets(other);
    pool(one) == pool(other) && sets(one).iter().any(|set| others.contains(set))
}
