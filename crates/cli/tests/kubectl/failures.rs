//! What is said when `kubectl` fails.

use insta::assert_snapshot;

use crate::common::kubectl_dralloc;
use crate::{Live, cluster};

#[test]
fn kubectl_has_to_be_there() {
    for program in ["missing-kubectl", "/missing/kubectl"] {
        let run = kubectl_dralloc(&["allocate"], &cluster(), &[("KUBECTL", program)]);
        assert_eq!(
            run.text(),
            format!(
                "stderr: error: `{program} get resourceslices -A -o json` cannot be run: No such \
                 file or directory (os error 2); expected kubectl on the PATH or in $KUBECTL\n\
                 exit code 2"
            )
        );
    }
}

#[test]
fn its_errors_are_shown_with_what_was_run() {
    let live = Live::new();
    live.script(
        "resourceslices",
        "echo 'The connection to the server localhost:8080 was refused' >&2; exit 1",
    );
    let (run, calls) = live.calls(&["allocate", "--context=staging"]);
    assert_snapshot!(run.text(), @"
    stderr: The connection to the server localhost:8080 was refused
    stderr: error: `kubectl get resourceslices -A -o json --context=staging` failed: exit status: 1
    exit code 2
    ");
    // Nobody has to read the same seven times.
    assert_eq!(calls.len(), 1, "{calls:?}");
}

#[test]
fn one_kind_may_be_forbidden() {
    let live = Live::new();
    live.script(
        "nodes",
        "echo 'Error from server (Forbidden): nodes is forbidden' >&2; exit 1",
    );
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: Error from server (Forbidden): nodes is forbidden
    stderr: error: `kubectl get nodes -A -o json` failed: exit status: 1
    exit code 2
    ");
}

#[test]
fn taint_rules_may_be_forbidden_but_need_not_be_served() {
    let live = Live::new();
    live.script(
        "devicetaintrules",
        "echo 'Error from server (Forbidden): devicetaintrules is forbidden' >&2; exit 1",
    );
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: Error from server (Forbidden): devicetaintrules is forbidden
    stderr: error: `kubectl get devicetaintrules -A -o json` failed: exit status: 1
    exit code 2
    ");
}

#[test]
fn other_kinds_have_to_be_served() {
    let live = Live::new();
    std::fs::remove_file(live.path("resourceslices.json")).unwrap();
    assert_snapshot!(live.run(&["allocate"]).text(), @r#"
    stderr: error: the server doesn't have a resource type "resourceslices"
    stderr: error: `kubectl get resourceslices -A -o json` failed: exit status: 1
    exit code 2
    "#);
}

#[test]
fn what_is_printed_has_to_be_objects() {
    let live = Live::new();
    live.serve("pods", "<html>\n");
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: error: kubectl get pods:1:1: expected an object, found `<html>`
    exit code 2
    ");
    live.serve(
        "pods",
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\n",
    );
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: error: kubectl get pods:2:1: expected a name in double quotes, found the end of the text
    exit code 2
    ");
    live.serve("pods", "\n");
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: error: `kubectl get pods -A -o json` printed nothing, expected a list of objects
    exit code 2
    ");
}

#[test]
fn an_object_that_is_wrong_is_named_with_its_place() {
    let live = Live::new();
    live.serve(
        "nodes",
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n  {\"apiVersion\": \"v1\", \
         \"kind\": \"Node\", \"metadata\": {\"name\": 7}}]}\n",
    );
    assert_snapshot!(live.run(&["allocate"]).text(), @"
    stderr: error: kubectl get nodes:2:61: items[0].metadata.name: expected a string, found `7`
    exit code 2
    ");
}

/// `kubectl` gives up by itself; this one as late as it is told to.
#[test]
fn a_server_that_does_not_answer_is_given_up() {
    let live = Live::new();
    live.script(
        "resourceslices",
        "for option in \"$@\"; do
           case $option in --request-timeout=*) sleep \"${option#*=}\";; esac
         done
         echo 'Unable to connect to the server: context deadline exceeded' >&2; exit 1",
    );
    let run = live.run(&["allocate", "--request-timeout=0.2s"]);
    assert_snapshot!(run.text(), @"
    stderr: Unable to connect to the server: context deadline exceeded
    stderr: error: `kubectl get resourceslices -A -o json --request-timeout=0.2s` failed: exit status: 1
    exit code 2
    ");
}

#[test]
fn tokens_are_not_taken() {
    let run = Live::new().run(&["allocate", "--token", "secret"]);
    assert_eq!(run.code, 2);
    assert!(
        run.errors
            .starts_with("error: unexpected argument '--token' found"),
        "{}",
        run.errors
    );
}
