//! The published schema says what the decoder and the checks say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "tests end where they fail, and pass literals"
)]

use dralloc::model::{AffinityLevel, Json, ObjectiveTerm, PlacementPolicy, PlacementUnit};
use dralloc::{Term, validate, wire};
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../../schemas/placement-policy.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

/// Returns the words of an enumeration.
fn words(schema: &Value, pointer: &str) -> Vec<String> {
    let words = schema.pointer(pointer).unwrap().as_array().unwrap();
    words
        .iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

fn policy(fields: Value) -> Value {
    let mut policy = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy"});
    for (name, value) in fields.as_object().unwrap() {
        policy[name] = value.clone();
    }
    policy
}

/// Returns whether a policy is right.
fn is_taken(policy: &Value) -> bool {
    let text = Json::new(policy.to_string()).unwrap();
    let errors = match wire::placement_policy(Some(&text)) {
        Ok(policy) => validate::placement_policy(&policy),
        Err(error) => vec![error],
    };
    errors.is_empty()
}

/// Judges a value by the few keywords of JSON Schema that are in use.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let keywords = schema.as_object().unwrap().iter();
    let mut verdicts = keywords.map(|(keyword, wanted)| {
        let fits = |schema: &Value| fits(value, schema, root);
        let least = |count: Option<usize>| {
            count.is_none_or(|count| count as u64 >= wanted.as_u64().unwrap())
        };
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => fits(root.pointer(&wanted.as_str().unwrap()[1..]).unwrap()),
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "anyOf" => wanted.as_array().unwrap().iter().any(fits),
            "not" => !fits(wanted),
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|one| is_of_type(value, one)),
                one => is_of_type(value, one),
            },
            "required" => value.as_object().is_none_or(|value| {
                let mut names = wanted.as_array().unwrap().iter();
                names.all(|name| value.contains_key(name.as_str().unwrap()))
            }),
            "properties" => value.as_object().is_none_or(|value| {
                let mut known = value
                    .iter()
                    .filter_map(|(name, value)| Some((value, wanted.get(name)?)));
                known.all(|(value, schema)| self::fits(value, schema, root))
            }),
            "additionalProperties" => value.as_object().is_none_or(|value| {
                let known = schema.get("properties");
                let is_known = |name: &str| known.is_some_and(|known| known.get(name).is_some());
                let mut others = value.iter().filter(|(name, _)| !is_known(name));
                others.all(|(_, value)| *wanted != false && self::fits(value, wanted, root))
            }),
            "items" => value
                .as_array()
                .is_none_or(|items| items.iter().all(|item| self::fits(item, wanted, root))),
            "uniqueItems" => value.as_array().is_none_or(|items| {
                (0..items.len()).all(|place| !items[..place].contains(&items[place]))
            }),
            "minItems" => least(value.as_array().map(Vec::len)),
            "minProperties" => least(value.as_object().map(serde_json::Map::len)),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= wanted.as_u64().unwrap()),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "pattern" => value
                .as_str()
                .is_none_or(|text| match wanted.as_str().unwrap() {
                    "^[^/]+/[^/]+$" => text.split('/').filter(|part| !part.is_empty()).count() == 2,
                    "^[0-9.+]" => text
                        .starts_with(|first: char| first.is_ascii_digit() || ".+".contains(first)),
                    other => panic!("pattern {other} is not known here"),
                }),
            other => panic!("keyword {other} is not known here"),
        }
    });
    verdicts.all(|verdict| verdict)
}

fn is_of_type(value: &Value, wanted: &Value) -> bool {
    match wanted.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        other => panic!("type {other} is not known here"),
    }
}

#[test]
fn every_field_and_word_is_there_and_no_other() {
    let schema = schema();
    let names =
        |value: Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let listed = |pointer: &str| names(schema.pointer(pointer).unwrap().clone());
    let level = AffinityLevel {
        fallback: vec!["host".into()],
        ..AffinityLevel::default()
    };
    let unit = PlacementUnit {
        fallback: vec!["host".into()],
        apart_over: Some("host".into()),
        ..PlacementUnit::default()
    };
    let term = ObjectiveTerm {
        term: "evenness".into(),
        attribute: Some("a/b".into()),
    };
    let full = PlacementPolicy {
        policy: Some("pack".into()),
        objective: vec![term.clone()],
        affinity: vec![level.clone()],
        unit: Some(unit.clone()),
        min_ring_gbps: Some("1".parse().unwrap()),
        fabric_partition: Some("required".into()),
    };
    let written = names(policy(serde_json::to_value(full).unwrap()));
    assert_eq!(listed("/properties"), written);
    for (pointer, value) in [
        (
            "/properties/objective/items/anyOf/2/properties",
            serde_json::to_value(term),
        ),
        (
            "/properties/affinity/items/properties",
            serde_json::to_value(level),
        ),
        ("/properties/unit/properties", serde_json::to_value(unit)),
    ] {
        assert_eq!(listed(pointer), names(value.unwrap()), "{pointer}");
    }
    for name in words(&schema, "/properties/policy/enum") {
        assert!(is_taken(&policy(json!({"policy": name}))), "{name}");
    }
    for name in words(&schema, "/$defs/termName/enum") {
        assert!(is_taken(&policy(json!({"objective": [name]}))), "{name}");
        let takes_attribute = Term::new(&name, Some("a/b".into())).is_ok();
        let listed = words(
            &schema,
            "/properties/objective/items/anyOf/2/properties/term/enum",
        );
        assert_eq!(listed.contains(&name), takes_attribute, "{name}");
    }
    for scope in words(&schema, "/$defs/scope/enum") {
        for mode in words(&schema, "/$defs/mode/enum") {
            let level = json!([{"scope": scope, "mode": mode}]);
            assert!(
                is_taken(&policy(json!({"affinity": level}))),
                "{scope} {mode}"
            );
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of policies")]
fn the_schema_takes_what_is_taken() {
    let schema = schema();
    for (fields, taken) in [
        (json!({}), false),
        (json!({"policy": "kubernetes"}), true),
        (json!({"policy": "pack"}), true),
        (json!({"policy": "spread"}), true),
        (json!({"policy": "affinity"}), true),
        (json!({"policy": "Pack"}), false),
        (json!({"policy": 1}), false),
        (json!({"polcy": "pack"}), false),
        (json!({"policy": "pack", "kind": "Policy"}), false),
        (
            json!({"policy": "pack", "apiVersion": "dralloc.dev/v1"}),
            false,
        ),
        (json!({"policy": "pack", "objective": ["waste"]}), false),
        (json!({"objective": ["waste", "ring"]}), true),
        (json!({"objective": ["waste", "waste"]}), false),
        (json!({"objective": ["waist"]}), false),
        (json!({"objective": "waste"}), false),
        (json!({"objective": [{"term": "waste"}]}), true),
        (
            json!({"objective": [{"term": "evenness", "attribute": "d/numa"}]}),
            true,
        ),
        (
            json!({"objective": [{"term": "evenness", "attribute": "numa"}]}),
            false,
        ),
        (
            json!({"objective": [{"term": "waste", "attribute": "d/numa"}]}),
            false,
        ),
        (
            json!({"objective": [{"term": "evenness", "atribute": "d/numa"}]}),
            false,
        ),
        (json!({"objective": [{"attribute": "d/numa"}]}), false),
        (
            json!({"affinity": [{"scope": "nvLinkDomain", "mode": "required"}]}),
            true,
        ),
        (
            json!({"affinity": [{"scope": "pcieSwitch", "mode": "preferred",
                "fallback": ["pcieRoot", "numaNode", "host"]}]}),
            true,
        ),
        (
            json!({"affinity": [{"scope": "nvlink", "mode": "required"}]}),
            false,
        ),
        (json!({"affinity": [{"scope": "host"}]}), false),
        (
            json!({"affinity": [{"scope": "host", "mode": "maybe"}]}),
            false,
        ),
        (
            json!({"affinity": {"scope": "host", "mode": "required"}}),
            false,
        ),
        (
            json!({"unit": {"requests": {"gpu": 1, "nic": 1}, "scope": "pcieSwitch",
                "mode": "preferred", "fallback": ["pcieRoot"]}}),
            true,
        ),
        (
            json!({"unit": {"requests": {"gpu": 1}, "scope": "pcieSwitch",
                "mode": "required", "apartOver": "host"}}),
            true,
        ),
        (
            json!({"unit": {"requests": {"gpu": 1}, "scope": "pcieSwitch",
                "mode": "preferred", "apartOver": "host"}}),
            true,
        ),
        (
            json!({"unit": {"requests": {"gpu": 2}, "scope": "nvLink", "mode": "required"}}),
            true,
        ),
        (
            json!({"unit": {"requests": {"gpu": 2}, "scope": "host", "mode": "required",
                "apartOver": "nvLink"}}),
            false,
        ),
        (
            json!({"unit": {"requests": {"gpu": 0}, "scope": "host", "mode": "required"}}),
            false,
        ),
        (
            json!({"unit": {"requests": {}, "scope": "host", "mode": "required"}}),
            false,
        ),
        (
            json!({"unit": {"scope": "host", "mode": "required"}}),
            false,
        ),
        (json!({"minRingGBps": 200}), true),
        (json!({"fabricPartition": "required"}), true),
        (json!({"fabricPartition": "preferred"}), false),
        (json!({"fabricPartition": true}), false),
        (json!({"minRingGBps": "200"}), true),
        (json!({"minRingGBps": 12.5}), true),
        (json!({"minRingGBps": -1}), false),
        (json!({"minRingGBps": "-1"}), false),
        (json!({"minRingGBps": true}), false),
    ] {
        let policy = policy(fields);
        assert_eq!(is_taken(&policy), taken, "{policy}");
        assert_eq!(
            fits(&policy, &schema, &schema),
            taken,
            "the schema of {policy}"
        );
    }
}
