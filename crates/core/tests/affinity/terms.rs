//! What each term is, on machines that people know.

#[test]
fn todo() {}
