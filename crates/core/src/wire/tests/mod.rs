//! Tests of decoding and encoding as a whole.

mod bad_input;
mod encoding;
mod extensions;
mod hostile;
mod lists;
mod one_pass;
mod unknown_fields;
mod values;
mod variants;
mod versions;

use super::{Decoded, Decoder, Object};
use crate::model::{Device, ResourceClaim, ResourceSlice};

/// Decodes a text that has one object and no fault.
fn one(json: &str) -> Decoded {
    let mut all = Vec::new();
    let result = Decoder::new().decode(json, &mut |decoded| {
        all.push(decoded);
        Ok(())
    });
    result.unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Lists the faults of a text as they print, with the text from their place on.
fn faults(decoder: Decoder, json: &str) -> Vec<(String, String)> {
    let mut decoder = decoder;
    let mut all = Vec::new();
    let result = decoder.decode_each(json, &mut |result| {
        if let Err(fault) = result {
            all.push((
                fault.to_string(),
                json[fault.offset..].chars().take(6).collect(),
            ));
        }
        Ok(())
    });
    result.unwrap();
    all
}

/// Returns the only fault of a text, and what stands at its place.
fn fault(json: &str) -> (String, String) {
    let mut all = faults(Decoder::new(), json);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// Returns the warnings of a text with one object as they print.
fn warnings(json: &str) -> Vec<String> {
    one(json).warnings.iter().map(ToString::to_string).collect()
}

/// Returns the text of a slice with a spec.
fn slice_text(version: &str, spec: &str) -> String {
    let api = format!("resource.k8s.io/{version}");
    format!(r#"{{"apiVersion":"{api}","kind":"ResourceSlice","spec":{spec}}}"#)
}

/// Returns the text of a slice with one device.
fn device_text(version: &str, device: &str) -> String {
    slice_text(version, &format!(r#"{{"devices":[{device}]}}"#))
}

/// Returns the text of a claim with one request.
fn request_text(version: &str, request: &str) -> String {
    let api = format!("resource.k8s.io/{version}");
    format!(
        r#"{{"apiVersion":"{api}","kind":"ResourceClaim","spec":{{"devices":{{"requests":[{request}]}}}}}}"#
    )
}

fn slice(json: &str) -> ResourceSlice {
    match one(json).object {
        Object::ResourceSlice(slice) => slice,
        other => panic!("{other:?}"),
    }
}

fn device(json: &str) -> Device {
    slice(json).spec.devices.remove(0)
}

fn claim(json: &str) -> ResourceClaim {
    match one(json).object {
        Object::ResourceClaim(claim) => claim,
        other => panic!("{other:?}"),
    }
}
