//! What `docs/c.md` shows are programs that run.

use std::path::Path;

use crate::support::Build;

const PRINTED: &str = r#"on node-2
on node-2
assumed: 0
nowhere: {"nodes":[],"asked":2,"next":0,"feasible":0,"reasons":[{"cause":"request","nodes":1,"example":"node-1","message":"request `gpu` of claim 0 has too few devices"},{"cause":"request","nodes":1,"example":"node-2","message":"request `gpu` of claim 0 has too few devices; refused by: in use"}],"failed":[]}
without the victim it fits
nowhere: {"nodes":[],"asked":0,"next":0,"feasible":0,"reasons":[],"failed":[],"stopCause":"cancelled"}
handles left: 0
"#;

#[test]
fn the_loop_of_a_scheduler_goes_round() {
    assert_eq!(Build::example("schedule").run(&[]), PRINTED);
}

#[test]
fn pieces_on_the_page_are_those_of_the_program() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| std::fs::read_to_string(project.join(file)).unwrap();
    let (page, program) = (read("docs/c.md"), read("examples/schedule.c"));
    let pieces = page.split("```c\n").skip(1);
    let pieces: Vec<&str> = pieces.filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(pieces.len(), 7);
    for piece in pieces {
        assert!(program.contains(piece), "{piece}");
    }
}
