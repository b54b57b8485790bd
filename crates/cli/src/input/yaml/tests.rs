use super::*;

#[test]
fn go_table() {
    let Ok(table) = std::env::var("TABLE") else { return };
    for line in std::fs::read_to_string(table).unwrap().lines() {
        let mut documents = Documents::new(line);
        let result = documents.next();
        match result {
            Some(Ok(document)) => println!("{line:40} {}", document.json),
            Some(Err(error)) => println!("{line:40} ERR {error:?}"),
            None => println!("{line:40} NONE"),
        }
    }
}
