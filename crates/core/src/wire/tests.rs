use super::*;
use crate::Code;

/// Decodes a text that has one object and no fault.
fn one(json: &str) -> Decoded {
    let mut all = Vec::new();
    Decoder::new()
        .decode(json, &mut |decoded| {
            all.push(decoded);
            Ok(())
        })
        .unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Lists the faults of a text as they print, with their offsets.
fn faults(decoder: Decoder, json: &str) -> Vec<(String, usize)> {
    let mut decoder = decoder;
    let mut all = Vec::new();
    decoder
        .decode_each(json, &mut |result| {
            if let Err(fault) = result {
                all.push((fault.to_string(), fault.offset));
            }
            Ok(())
        })
        .unwrap();
    all
}

fn slice(version: &str, device: &str) -> String {
    format!(
        r#"{{"apiVersion":"resource.k8s.io/{version}","kind":"ResourceSlice","spec":{{"devices":[{device}]}}}}"#
    )
}

#[test]
fn scratch() {
    for name in std::env::var("FIXTURES").unwrap_or_default().split_whitespace() {
        let json = std::fs::read_to_string(name).unwrap();
        let mut decoder = Decoder::new();
        decoder
            .decode_each(&json, &mut |result| {
                match result {
                    Ok(decoded) => {
                        for warning in &decoded.warnings {
                            println!("{name}: WARN {warning}");
                        }
                        let text = encode(&decoded.object).unwrap();
                        let again = one(&text);
                        assert_eq!(again.object, decoded.object, "{name}");
                        assert!(again.warnings.is_empty());
                        println!("{name}: ok");
                    }
                    Err(fault) => println!("{name}: FAULT {fault} @{}", fault.offset),
                }
                Ok(())
            })
            .unwrap();
    }
    println!("{:?}", faults(Decoder::new(), &slice("v1", r#"{"name":"a","basic":{"attributes":{}},"capacity":{"m":"80Gi","n":{"value":1.50}}}"#)));
    println!("{:?}", one(&slice("v1", r#"{"name":"a","basic":{"attributes":{}},"capacity":{"m":"80Gi","n":{"value":1.50}}}"#)));
}
