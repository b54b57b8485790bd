//! What a stock says is left, against every set of devices that fits.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{Change, DeviceState, Engine, Features};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Is a pool of devices that take of counters, some of them held.
#[derive(Clone, Debug)]
struct Card {
    totals: Vec<u32>,
    devices: Vec<Device>,
}

#[derive(Clone, Debug)]
struct Device {
    takes: Vec<u32>,
    profile: u8,
    is_held: bool,
}

fn card() -> impl Strategy<Value = Card> {
    let totals = prop::collection::vec(0..8_u32, 1..4);
    totals.prop_flat_map(|totals| {
        let takes = prop::collection::vec(0..4_u32, totals.len());
        let device = (takes, 0..2_u8, prop::bool::weighted(0.2));
        let device = device.prop_map(|(takes, profile, is_held)| Device {
            takes,
            profile,
            is_held,
        });
        prop::collection::vec(device, 1..8).prop_map(move |devices| {
            let mut card = Card {
                totals: totals.clone(),
                devices,
            };
            card.hold_what_fits();
            card
        })
    })
}

impl Card {
    /// Lets only devices be held that fit beside those before them.
    fn hold_what_fits(&mut self) {
        let mut left = self.totals.clone();
        for device in self.devices.iter_mut().filter(|device| device.is_held) {
            device.is_held = take(&mut left, &device.takes);
        }
    }

    fn left(&self) -> Vec<u32> {
        let mut left = self.totals.clone();
        for device in self.devices.iter().filter(|device| device.is_held) {
            assert!(take(&mut left, &device.takes));
        }
        left
    }

    /// Returns all sets of devices that nobody holds and that fit together.
    fn sets(&self) -> Vec<Vec<&Device>> {
        let free: Vec<&Device> = self
            .devices
            .iter()
            .filter(|device| !device.is_held)
            .collect();
        let sets = (0..1_usize << free.len()).filter_map(|bits| {
            let chosen = free
                .iter()
                .enumerate()
                .filter(|(place, _)| bits >> place & 1 == 1);
            let set: Vec<&Device> = chosen.map(|(_, device)| *device).collect();
            let mut left = self.left();
            set.iter()
                .all(|device| take(&mut left, &device.takes))
                .then_some(set)
        });
        sets.collect()
    }

    fn engine(&self) -> Engine {
        let counters = |amounts: &[u32]| -> Value {
            let counters = amounts.iter().enumerate();
            let counters = counters
                .map(|(place, amount)| (format!("c{place}"), json!({"value": amount.to_string()})));
            Value::Object(counters.collect())
        };
        let slice = |name: &str, content: (&str, Value)| -> ResourceSlice {
            let mut spec = json!({
                "driver": "d", "nodeName": "n",
                "pool": {"name": "n", "generation": 1, "resourceSliceCount": 2},
            });
            spec[content.0] = content.1;
            serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap()
        };
        let devices = self.devices.iter().enumerate().map(|(place, device)| {
            json!({
                "name": format!("d{place}"),
                "consumesCounters": [{"counterSet": "card", "counters": counters(&device.takes)}],
            })
        });
        let devices: Vec<Value> = devices.collect();
        let sets = json!([{"name": "card", "counters": counters(&self.totals)}]);
        let held = self
            .devices
            .iter()
            .enumerate()
            .filter(|(_, device)| device.is_held);
        let results = held.map(|(place, _)| {
            json!({"request": "r", "driver": "d", "pool": "n", "device": format!("d{place}")})
        });
        let results: Vec<Value> = results.collect();
        let claim = json!({
            "metadata": {"namespace": "a", "name": "b"},
            "spec": {},
            "status": {"allocation": {"devices": {"results": results}}},
        });
        let claim: ResourceClaim = serde_json::from_value(claim).unwrap();
        let mut engine = Engine::new(Features::all());
        for change in [
            Change::ResourceSlice(slice("counters", ("sharedCounters", sets))),
            Change::ResourceSlice(slice("devices", ("devices", devices.into()))),
            Change::ResourceClaim(claim),
        ] {
            engine.apply(change).unwrap();
        }
        engine
    }
}

/// Takes what there is room for; returns whether there was.
fn take(left: &mut [u32], takes: &[u32]) -> bool {
    let has_room = left.iter().zip(takes).all(|(left, takes)| left >= takes);
    if has_room {
        for (left, takes) in left.iter_mut().zip(takes) {
            *left -= takes;
        }
    }
    has_room
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_is_what_sets_of_devices_can_have(card in card()) {
        let stock = card.engine().snapshot().stock();
        let (left, sets) = (card.left(), card.sets());
        for (place, (device, stocked)) in card.devices.iter().zip(stock.devices()).enumerate() {
            let fits = take(&mut left.clone(), &device.takes);
            let expected = match (device.is_held, fits) {
                (true, _) => DeviceState::Held,
                (false, true) => DeviceState::Free,
                (false, false) => DeviceState::Blocked,
            };
            prop_assert_eq!(stocked.state(), expected, "device {}", place);
        }
        for profile in 0..2 {
            let is_of = |device: &&Device| device.profile == profile;
            let most = sets.iter().map(|set| set.iter().copied().filter(|device| is_of(device)).count());
            let pieces = stock.most(|device| card.devices[device].profile == profile);
            let sum: usize = pieces.iter().map(|(_, count)| count).sum();
            prop_assert_eq!(sum, most.max().unwrap(), "profile {}", profile);
        }
        for (place, counter) in stock.pools()[0].counters.iter().enumerate() {
            let sum = |set: &Vec<&Device>| set.iter().map(|device| device.takes[place]).sum::<u32>();
            let usable = sets.iter().map(sum).max().unwrap();
            prop_assert_eq!(counter.left.canonical(), left[place].to_string());
            prop_assert_eq!(counter.stranded.canonical(), (left[place] - usable).to_string());
        }
    }
}
