//! The answer as tables to read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::By;
use super::amounts::Sum;
use super::bar;
use super::group::{Group, Key};
use super::names;
use super::survey::Survey;
use super::tally::Tally;
use super::usage::Usage;
use crate::columns::{Columns, Side};
use crate::style::{self, BAD, HEADING};
use crate::words::counted;

/// With more nodes than this those that are alike are one row.
const ROWS: usize = 20;
/// So many pools that cannot be used, or devices that are held and gone, are named.
const NAMED: usize = 10;

/// Is a row about devices.
struct Row<'g> {
    name: String,
    nodes: usize,
    tally: Tally,
    group: Option<&'g Group>,
}

/// Writes all that is told; `room` is the width of the terminal, if there is one.
pub(super) fn write(survey: &Survey<'_>, is_wide: bool, room: Option<usize>) -> String {
    let mut output = String::new();
    let _ = writeln!(output, "{}", headline(survey));
    if !survey.groups.is_empty() {
        output.push('\n');
        groups(&mut output, survey, is_wide, room);
    }
    partitions(&mut output, survey);
    amounts(
        &mut output,
        "Counters of cards that are divided",
        &survey.counters,
        is_wide,
    );
    amounts(
        &mut output,
        "Capacities of devices that are shared",
        &survey.capacities,
        true,
    );
    taints(&mut output, survey);
    gates(&mut output, survey);
    faults(&mut output, survey);
    unpublished(&mut output, survey);
    output
}

/// Says how much there is, such as `8 devices in 1 pool on 1 node`.
fn headline(survey: &Survey<'_>) -> String {
    let mut line = format!(
        "{} in {} on {}",
        counted(survey.total.devices, "device"),
        counted(survey.stock.pools().len(), "pool"),
        counted(survey.nodes - survey.nodes_without_devices, "node"),
    );
    if survey.nodes_without_devices > 0 {
        let _ = write!(
            line,
            ", {} without devices",
            counted(survey.nodes_without_devices, "node")
        );
    }
    if survey.drivers.len() > 1 {
        let drivers: Vec<&str> = survey.drivers.iter().map(|driver| &**driver).collect();
        let _ = write!(line, ", of the drivers {}", drivers.join(", "));
    }
    line
}

fn groups(output: &mut String, survey: &Survey<'_>, is_wide: bool, room: Option<usize>) {
    let mut rows = rows(survey, is_wide);
    let has_nodes = survey.by != By::Node || rows.iter().any(|row| row.nodes > 1);
    if rows.len() > 1 {
        rows.push(Row {
            name: "total".to_owned(),
            nodes: survey.nodes - survey.nodes_without_devices,
            tally: survey.total.clone(),
            group: None,
        });
    }
    let title = survey.by.as_str().to_uppercase();
    let mut titles = vec![(title.as_str(), Side::Left), ("NODES", Side::Right)];
    let numbers = [
        "DEVICES", "FREE", "HELD", "SHARED", "BLOCKED", "TAINTED", "UNUSABLE", "STRANDED",
    ];
    titles.extend(numbers.map(|title| (title, Side::Right)));
    let mut columns = Columns::new(&titles);
    for row in &rows {
        let tally = &row.tally;
        let mut texts = vec![row.name.clone()];
        texts.push(if has_nodes {
            row.nodes.to_string()
        } else {
            String::new()
        });
        texts.extend([tally.devices, tally.free].map(|count| count.to_string()));
        // Columns of nothing but zeros are left out.
        let others = |tally: &Tally| {
            [
                tally.held,
                tally.shared,
                tally.blocked,
                tally.tainted,
                tally.unusable,
                tally.stranded,
            ]
        };
        let all = others(&survey.total);
        let counts = others(tally).into_iter().zip(all);
        texts.extend(counts.map(|(count, all)| {
            if all == 0 {
                String::new()
            } else {
                count.to_string()
            }
        }));
        columns.push(texts);
    }
    columns.add(
        ("USED", Side::Right),
        rows.iter().map(|row| percent(row.tally.usage)),
    );
    if let Some(length) = bar::length(room, columns.width() + 2) {
        let bars = rows
            .iter()
            .map(|row| bar::draw(row.tally.usage.parts(), length));
        columns.add(("", Side::Left), bars);
    }
    if is_wide {
        columns.add(
            ("LEFT OF PARTITIONS", Side::Left),
            rows.iter().map(|row| left(row.group)),
        );
        columns.add(
            ("HELD BY", Side::Left),
            rows.iter().map(|row| held_by(survey, row.group)),
        );
    }
    columns.write(output);
    if survey.by == By::Class && rows.len() > 1 {
        output.push_str(
            "A device of several classes counts in each of them, and once in the total.\n",
        );
    }
}

/// Returns a row for each group, or for nodes that are alike if there are many.
fn rows<'g>(survey: &'g Survey<'_>, is_wide: bool) -> Vec<Row<'g>> {
    let none = match survey.by {
        By::Node => "(several nodes)",
        By::Class => "(no class)",
        By::Product => "(no product)",
        By::Rack => "(no rack)",
    };
    let row = |(key, group): &'g (Key, Group)| Row {
        name: match key {
            Key::Named(name) => name.to_string(),
            Key::None => none.to_owned(),
        },
        nodes: group.nodes.len(),
        tally: group.tally.clone(),
        group: Some(group),
    };
    if survey.by != By::Node || is_wide || survey.groups.len() <= ROWS {
        return survey.groups.iter().map(row).collect();
    }
    let mut alike: BTreeMap<_, Vec<&'g (Key, Group)>> = BTreeMap::new();
    for entry in &survey.groups {
        let (key, group) = entry;
        let is_named = matches!(key, Key::Named(_));
        let kind = (is_named, &group.products, &group.tally, &group.left);
        alike.entry(kind).or_default().push(entry);
    }
    let mut alike: Vec<_> = alike.into_values().collect();
    alike.sort_by_key(|entries| &entries[0].0);
    let rows = alike.into_iter().map(|entries| {
        let mut row = row(entries[0]);
        let names = entries.iter().filter_map(|(key, _)| match key {
            Key::Named(name) => Some(&**name),
            Key::None => None,
        });
        let names: Vec<&str> = names.collect();
        if let [_, _, ..] = *names {
            row.name = names::together(&names);
            row.nodes = entries.len();
            for (_, group) in &entries[1..] {
                row.tally.add(&group.tally);
            }
        }
        row
    });
    rows.collect()
}

fn percent(usage: Usage) -> String {
    usage
        .percent()
        .map_or_else(|| "-".to_owned(), |percent| format!("{percent}%"))
}

fn left(group: Option<&Group>) -> String {
    let left = group.into_iter().flat_map(|group| &group.left);
    let texts = left.map(|(profile, count)| format!("{profile} {count}"));
    texts.collect::<Vec<_>>().join(", ")
}

fn held_by(survey: &Survey<'_>, group: Option<&Group>) -> String {
    let holders = group.into_iter().flat_map(|group| &group.holders);
    let texts = holders.map(|(holder, count)| {
        let name = survey.holder(*holder);
        if *count == 1 {
            name.to_string()
        } else {
            format!("{name} ({count})")
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn heading(output: &mut String, text: &str) {
    let _ = writeln!(output, "\n{HEADING}{text}:{HEADING:#}");
}

fn partitions(output: &mut String, survey: &Survey<'_>) {
    if survey.partitions.is_empty() {
        return;
    }
    heading(
        output,
        "Partitions; of each profile so many are left if no other is asked for",
    );
    let mut columns = Columns::new(&[
        ("PRODUCT", Side::Left),
        ("PROFILE", Side::Left),
        ("DEVICES", Side::Right),
        ("HELD", Side::Right),
        ("LEFT", Side::Right),
    ]);
    for partition in &survey.partitions {
        let counts = [partition.devices, partition.held, partition.left];
        let mut row = vec![partition.product.to_string(), partition.profile.to_string()];
        row.extend(counts.map(|count| count.to_string()));
        columns.push(row);
    }
    columns.write(output);
}

/// Writes sums; of what is stranded only, unless all are wanted.
fn amounts(output: &mut String, title: &str, sums: &[Sum], all: bool) {
    let is_stranded = |sum: &&Sum| !sum.stranded.amount().is_zero();
    let shown: Vec<&Sum> = sums.iter().filter(|sum| all || is_stranded(sum)).collect();
    if shown.is_empty() {
        return;
    }
    heading(output, title);
    let mut columns = Columns::new(&[
        ("PRODUCT", Side::Left),
        ("NAME", Side::Left),
        ("OF", Side::Right),
        ("TOTAL", Side::Right),
        ("TAKEN", Side::Right),
        ("LEFT", Side::Right),
        ("STRANDED", Side::Right),
    ]);
    for sum in shown {
        columns.push(vec![
            sum.product.to_string(),
            sum.name.to_string(),
            sum.count.to_string(),
            sum.total.canonical(),
            sum.taken().canonical(),
            sum.left.canonical(),
            sum.stranded.canonical(),
        ]);
    }
    columns.write(output);
}

fn taints(output: &mut String, survey: &Survey<'_>) {
    if survey.taints.is_empty() {
        return;
    }
    heading(output, "Taints");
    let mut columns = Columns::new(&[
        ("EFFECT", Side::Left),
        ("TAINT", Side::Left),
        ("DEVICES", Side::Right),
        ("KEPT AWAY", Side::Right),
    ]);
    for taint in &survey.taints {
        let name = match &*taint.value {
            "" => taint.key.to_string(),
            value => format!("{}={value}", taint.key),
        };
        columns.push(vec![
            taint.effect.to_string(),
            name,
            taint.devices.to_string(),
            taint.kept_away.to_string(),
        ]);
    }
    columns.write(output);
}

fn gates(output: &mut String, survey: &Survey<'_>) {
    if survey.gates.is_empty() {
        return;
    }
    heading(output, "Devices that need a feature gate that is off");
    let mut columns = Columns::new(&[("GATE", Side::Left), ("DEVICES", Side::Right)]);
    for one in &survey.gates {
        columns.push(vec![one.gate.to_owned(), one.devices.to_string()]);
    }
    columns.write(output);
}

fn faults(output: &mut String, survey: &Survey<'_>) {
    let pools = survey.stock.pools().iter();
    let faulty: Vec<_> = pools
        .filter_map(|pool| Some((pool, pool.fault.as_ref()?)))
        .collect();
    if faulty.is_empty() {
        return;
    }
    heading(output, "Pools that cannot be used");
    for (pool, fault) in faulty.iter().take(NAMED) {
        let _ = writeln!(
            output,
            "  {BAD}{}/{}{BAD:#}: {fault} ({}, {})",
            style::harmless(&pool.driver),
            style::harmless(&pool.name),
            counted(pool.slices, "slice"),
            counted(pool.devices.len(), "device")
        );
    }
    more(output, faulty.len());
}

fn unpublished(output: &mut String, survey: &Survey<'_>) {
    let gone = survey.stock.unpublished();
    if gone.is_empty() {
        return;
    }
    heading(output, "Held, and not published any more");
    for (id, holders) in gone.iter().take(NAMED) {
        let holders: Vec<String> = holders
            .iter()
            .map(|holder| survey.holder(*holder).to_string())
            .collect();
        let line = format!("  {id}: {}", holders.join(", "));
        let _ = writeln!(output, "{}", style::harmless(&line));
    }
    more(output, gone.len());
}

fn more(output: &mut String, count: usize) {
    if count > NAMED {
        let _ = writeln!(output, "  and {} more", count - NAMED);
    }
}
