//! Any text is decoded or refused; what is decoded survives being written.

#![no_main]

use dralloc::wire::{Decoder, Encode, Object, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut objects = Vec::new();
    let mut faults = 0;
    let end = Decoder::new().decode_each(text, &mut |result| {
        match result {
            Ok(decoded) => objects.push(decoded.object),
            Err(_) => faults += 1,
        }
        Ok(())
    });
    assert!(end.is_ok(), "only the sink may end the reading");

    let mut strict = 0;
    let result = Decoder::new().strict(true).decode(text, &mut |_| {
        strict += 1;
        Ok(())
    });
    assert!(strict <= objects.len() && (faults == 0 || result.is_err()));

    for object in &objects {
        match object {
            Object::ResourceSlice(slice) => written_and_read(slice, object),
            Object::DeviceClass(class) => written_and_read(class, object),
            Object::ResourceClaim(claim) => written_and_read(claim, object),
            _ => {}
        }
    }
});

/// Writes an object, reads it again, and expects the same one.
fn written_and_read<T: Encode>(inner: &T, object: &Object) {
    let text = encode(inner).expect("what was decoded can be encoded");
    let mut again = Vec::new();
    Decoder::new()
        .decode(&text, &mut |decoded| {
            again.push(decoded.object);
            Ok(())
        })
        .expect("what was encoded can be decoded");
    assert_eq!(again.as_slice(), std::slice::from_ref(object));
}
