//! One question over many nodes: how long a call takes, and what of it is a node.
//!
//! Every device has its own name, uuid and bus id. Before each call one device
//! of a node is taken or given back, or its slice replaced, and the call begins
//! at another node, so that no call asks what was asked before. `--quick` leaves
//! out the largest cluster.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::{Decoder, Object, from_json};
use dralloc::{Change, Engine, Features, Find, NodeList, PlaceOptions, Workspace};

const GPUS: usize = 8;

/// Calls of which the middle one counts.
const CALLS: usize = 301;

/// Says which GPUs of a node are held, as bits.
type States = fn(node: usize) -> u64;

/// Numbers that look like chance, the same each time.
fn chance(number: usize) -> u64 {
    let mut hash = number as u64 ^ 0x5851_f42d_4c95_7f2d;
    for _ in 0..3 {
        hash = (hash ^ hash >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash >> 16
}

/// 80 of 100 nodes full, 19 used in part, 1 free.
fn usual(node: usize) -> u64 {
    match chance(node) % 100 {
        0 => 0,
        1..20 => chance(node + 7) % 254 + 1,
        _ => 0xff,
    }
}

fn one_short(node: usize) -> u64 {
    1 << (chance(node) % 8)
}

fn full(_: usize) -> u64 {
    0xff
}

/// 250 states; with nodes of two sorts there are 500.
fn many(node: usize) -> u64 {
    chance(node) % 250
}

fn slice(node: usize, sorts: usize, revision: usize) -> String {
    let name = format!("node-{node:06}");
    let devices: Vec<String> = (0..GPUS)
        .map(|gpu| {
            let id = node * GPUS + gpu;
            // The last GPU of every second node is small where there are two sorts.
            let is_small = gpu == GPUS - 1 && node % sorts == 1;
            let memory = if is_small { 40_000 } else { 81_559 };
            format!(
                r#"{{"name":"gpu-{gpu}","attributes":{{
                "architecture":{{"string":"Hopper"}},"type":{{"string":"gpu"}},"index":{{"int":{gpu}}},
                "driverVersion":{{"version":"570.86.15"}},"memory":{{"int":{memory}}},
                "productName":{{"string":"NVIDIA H100 80GB HBM3"}},
                "uuid":{{"string":"GPU-{id:08x}-d1c9-4a3e-9f0b-{revision:06x}{id:06x}"}},
                "resource.kubernetes.io/pciBusID":{{"string":"{:04x}:{:02x}:00.0"}}}},
                "capacity":{{"memory":{{"value":"{memory}Mi"}}}}}}"#,
                id / 256,
                id % 256,
            )
        })
        .collect();
    format!(
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
        "metadata":{{"name":"{name}","uid":"{name}","resourceVersion":"{revision}"}},
        "spec":{{"driver":"gpu.nvidia.com","nodeName":"{name}",
        "pool":{{"name":"{name}","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}}"#,
        devices.join(",")
    )
}

fn put_slice(engine: &mut Engine, decoder: &mut Decoder, json: &str) -> Result<(), Box<dyn Error>> {
    let mut slices: Vec<ResourceSlice> = Vec::new();
    decoder.decode(json, &mut |decoded| {
        if let Object::ResourceSlice(slice) = decoded.object {
            slices.push(slice);
        }
        Ok(())
    })?;
    for slice in slices {
        engine.apply(Change::ResourceSlice(slice))?;
    }
    Ok(())
}

/// Is a claim that holds GPUs of a node.
fn held(node: usize, gpus: u64) -> Result<(ResourceClaim, AllocationResult), Box<dyn Error>> {
    let mut owner = ResourceClaim::default();
    owner.metadata.name = format!("owner-{node}").into();
    let results: Vec<String> = (0..GPUS)
        .filter(|gpu| gpus >> gpu & 1 == 1)
        .map(|gpu| {
            format!(
                r#"{{"request":"r","driver":"gpu.nvidia.com","pool":"node-{node:06}","device":"gpu-{gpu}"}}"#
            )
        })
        .collect();
    let json = format!(r#"{{"devices":{{"results":[{}]}}}}"#, results.join(","));
    Ok((owner, from_json(&json)?))
}

struct Cluster {
    engine: Engine,
    decoder: Decoder,
    nodes: usize,
    sorts: usize,
    states: States,
    list: NodeList,
    calls: usize,
}

impl Cluster {
    fn new(nodes: usize, sorts: usize, states: States) -> Result<Self, Box<dyn Error>> {
        let (mut engine, mut decoder) = (Engine::new(Features::all()), Decoder::new());
        let class: DeviceClass = from_json(
            r#"{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":
            "device.driver == 'gpu.nvidia.com'"}}]}}"#,
        )?;
        engine.apply(Change::DeviceClass(class))?;
        for node in 0..nodes {
            put_slice(&mut engine, &mut decoder, &slice(node, sorts, 1))?;
            let name = format!("node-{node:06}");
            engine.apply(Change::Node(Node::new(&name, [])))?;
        }
        let mut transaction = engine.snapshot().transaction();
        for node in 0..nodes {
            let (owner, devices) = held(node, states(node))?;
            transaction.hold(&owner, &devices);
        }
        transaction.commit(&mut engine)?;
        let snapshot = engine.snapshot();
        let names: Vec<String> = (0..nodes).map(|node| format!("node-{node:06}")).collect();
        let list = snapshot.node_list(names.iter().map(String::as_str));
        Ok(Self {
            engine,
            decoder,
            nodes,
            sorts,
            states,
            list,
            calls: 0,
        })
    }

    /// Takes or gives back a device of a node, another node each time.
    fn change(&mut self, replaces: bool) -> Result<(), Box<dyn Error>> {
        self.calls += 1;
        let node = self.calls * 7919 % self.nodes;
        if replaces {
            let json = slice(node, self.sorts, self.calls + 1);
            return put_slice(&mut self.engine, &mut self.decoder, &json);
        }
        let state = (self.states)(node) ^ 1 << (self.calls % GPUS);
        let before = (self.calls - 1) * 7919 % self.nodes;
        let mut transaction = self.engine.snapshot().transaction();
        for (node, state) in [(before, (self.states)(before)), (node, state)] {
            let (owner, devices) = held(node, state)?;
            transaction.hold(&owner, &devices);
        }
        transaction.commit(&mut self.engine)?;
        Ok(())
    }

    fn claim(&self, count: usize) -> Result<ResourceClaim, Box<dyn Error>> {
        let claim = from_json(&format!(
            r#"{{"metadata":{{"name":"c-{}","namespace":"default"}},"spec":{{"devices":{{"requests":[
            {{"name":"gpu","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount",
            "count":{count},"selectors":[{{"cel":{{"expression":
            "device.attributes['gpu.nvidia.com'].memory >= 80000"}}}}]}}}}]}}}}}}"#,
            self.calls
        ))?;
        Ok(claim)
    }

    /// Prints how long calls take, and what they find.
    fn measure(
        &mut self,
        name: &str,
        count: usize,
        find: Find,
        replaces: bool,
    ) -> Result<(), Box<dyn Error>> {
        let mut workspace = Workspace::new();
        let claims = self.engine.snapshot().prepare(&[self.claim(count)?])?;
        let (mut times, mut found) = (Vec::new(), (0, 0, 0));
        let list = self.list.clone();
        let first = Instant::now();
        let all = PlaceOptions::new().find(find).node_list(&list);
        drop(
            self.engine
                .snapshot()
                .place(&claims, &all, &mut workspace)?,
        );
        let first = first.elapsed();
        for call in 0..CALLS {
            self.change(replaces)?;
            let snapshot = self.engine.snapshot();
            let options = PlaceOptions::new().find(find).node_list(&list);
            let options = options.start(call * 101 % self.nodes);
            let start = Instant::now();
            let placement = snapshot.place(&claims, &options, &mut workspace)?;
            let nodes = placement.nodes().iter().map(|node| node.score().free);
            black_box(nodes.sum::<usize>());
            times.push(start.elapsed());
            found = (
                placement.feasible(),
                placement.nodes().len(),
                placement.solved(),
            );
        }
        self.print(name, &mut times, first, &format!("{found:?}"));
        Ok(())
    }

    /// Prints how long pods take that fit nowhere, each prepared anew.
    fn measure_pods(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let mut workspace = Workspace::new();
        let mut times = Vec::new();
        let list = self.list.clone();
        let mut next = 0;
        let mut prepared = Vec::new();
        for _ in 0..CALLS {
            self.calls += 1;
            let claim = self.claim(1)?;
            let snapshot = self.engine.snapshot();
            let start = Instant::now();
            let claims = snapshot.prepare(&[claim])?;
            prepared.push(start.elapsed());
            let options = PlaceOptions::new().node_list(&list).start(next);
            let start = Instant::now();
            let placement = snapshot.place(&claims, &options, &mut workspace)?;
            times.push(start.elapsed());
            assert_eq!((placement.asked(), placement.feasible()), (self.nodes, 0));
            next = placement.next() + 1;
        }
        prepared.sort_unstable();
        let found = format!("prepare: {:?}", prepared[CALLS / 2]);
        self.print(name, &mut times, Duration::ZERO, &found);
        Ok(())
    }

    fn print(&self, name: &str, times: &mut [Duration], first: Duration, found: &str) {
        times.sort_unstable();
        let (least, middle) = (times[0], times[times.len() / 2]);
        let nanoseconds = middle.as_nanos() * 100 / self.nodes as u128;
        let line = format!(
            "{name:40} {middle:>10.2?} (least {least:>10.2?}, first {first:>10.2?}) {:>4}.{:02} ns/node {found}\n",
            nanoseconds / 100,
            nanoseconds % 100
        );
        drop(io::stdout().write_all(line.as_bytes()));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    for nodes in [1000, 5000] {
        let mut cluster = Cluster::new(nodes, 1, usual)?;
        for count in [1, 2, 8] {
            for (how, find) in [
                ("count", Find::Count),
                ("sets", Find::All),
                ("best-10", Find::Best(10)),
            ] {
                cluster.measure(&format!("{nodes}/k{count}/{how}"), count, find, false)?;
            }
        }
        cluster.measure(
            &format!("{nodes}/k2/count/slice replaced"),
            2,
            Find::Count,
            true,
        )?;
    }
    let mut cluster = Cluster::new(1000, 1, one_short)?;
    cluster.measure("1000/one short", 8, Find::All, false)?;
    Cluster::new(500, 1, full)?.measure_pods("500/full, per pod")?;
    if !quick {
        let mut cluster = Cluster::new(100_000, 2, many)?;
        for (how, find) in [
            ("count", Find::Count),
            ("sets", Find::All),
            ("best-10", Find::Best(10)),
        ] {
            cluster.measure(&format!("100000/500 states/k2/{how}"), 2, find, false)?;
        }
        cluster.measure(
            "100000/500 states/k2/count/slice replaced",
            2,
            Find::Count,
            true,
        )?;
    }
    Ok(())
}
