//! scratch
use crate::Features;
use crate::model::*;
use crate::validate;
use std::io::Write;

#[test]
fn dump() {
    let Ok(dir) = std::env::var("VALIDATE_DIFF") else {
        return;
    };
    let text = std::fs::read_to_string(format!("{dir}/in.jsonl")).unwrap();
    let mut out =
        std::io::BufWriter::new(std::fs::File::create(format!("{dir}/rust.jsonl")).unwrap());
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = value["object"].clone();
        let f = Features::all();
        let errors = match value["kind"].as_str().unwrap() {
            "ResourceClaim" => serde_json::from_value::<ResourceClaim>(object).map(|mut o| {
                validate::defaults::resource_claim(&mut o);
                validate::resource_claim(&o, &f)
            }),
            "ResourceClaimTemplate" => {
                serde_json::from_value::<ResourceClaimTemplate>(object).map(|mut o| {
                    validate::defaults::resource_claim_template(&mut o);
                    validate::resource_claim_template(&o, &f)
                })
            }
            "ResourceSlice" => serde_json::from_value::<ResourceSlice>(object)
                .map(|o| validate::resource_slice(&o, &f)),
            "DeviceClass" => serde_json::from_value::<DeviceClass>(object)
                .map(|o| validate::device_class(&o, &f)),
            "DeviceTaintRule" => serde_json::from_value::<DeviceTaintRule>(object)
                .map(|o| validate::device_taint_rule(&o, &f)),
            other => panic!("{other}"),
        };
        let lines: Vec<String> = match errors {
            Ok(errors) => super::report(&errors),
            Err(error) => vec![format!("DECODE {error}")],
        };
        writeln!(out, "{}", serde_json::to_string(&lines).unwrap()).unwrap();
    }
}
