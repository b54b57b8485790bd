//! What the plugin says of itself.

use insta::assert_snapshot;

use crate::Live;
use crate::common::dralloc;

#[test]
fn help_names_the_plugin_as_it_is_called() {
    let live = Live::new();
    let run = live.run(&["--help"]);
    assert!(
        run.output.contains("\nUsage: kubectl dralloc <COMMAND>\n"),
        "{}",
        run.output
    );
    assert_snapshot!(live.run(&["dump", "-h"]).output, @"
    Prints what the engine knows of the objects of the cluster, as one JSON document

    Usage: kubectl dralloc dump [OPTIONS]

    Options:
      -f, --filename <FILE|DIR|->...      Files, folders, or `-` for standard input, in the place of the
                                          cluster; in YAML or JSON
          --topology <FILE>               Files that say how devices are linked (`Topology`), read as if
                                          they were given with `-f`
          --kubernetes-version <VERSION>  Uses the feature gates of this version, such as `1.35`;
                                          without it those of the server's version, or all of them where
                                          only files are read
          --feature-gates <GATE=BOOL>     Switches single features on or off, such as
                                          `DRAConsumableCapacity=true`
          --relaxed-selectors             Lets selectors compare quantities and versions by `<`, `<=`,
                                          `>` and `>=`, which Kubernetes does not
          --strict                        Refuses fields that are not known instead of warning of them
          --live                          Reads the cluster beside the files: what if they were created?
      -h, --help                          Print help (see more with '--help')
      -V, --version                       Print version

    Options of kubectl:
      -n, --namespace <NAME>   The namespace of names without one; that of the context if it is not
                               given
          --context <NAME>     Uses this context of the kubeconfig
          --kubeconfig <FILE>  Uses this kubeconfig

    Examples:
      kubectl dralloc dump
      kubectl dralloc dump --context staging
      kubectl dralloc dump --live -f pod.yaml
    Without files the cluster is read by `kubectl get`. Nothing is written to it.
    ");
    let long = live.run(&["dump", "--help"]).output;
    for option in [
        "--context",
        "--as-group",
        "--cache-dir",
        "--namespace",
        "--live",
    ] {
        assert!(long.contains(option), "{option}: {long}");
    }
    let other = live.run(&["cel", "check", "--help"]).output;
    assert!(other.contains("\n  kubectl dralloc cel check"), "{other}");
    assert!(!other.contains("\n  dralloc"), "{other}");
}

#[test]
fn the_first_help_says_where_it_reads_from() {
    assert_snapshot!(Live::new().run(&["--help"]).output, @"
    Allocates devices by the rules of Kubernetes' dynamic resource allocation

    Usage: kubectl dralloc <COMMAND>

    Commands:
      allocate     Allocates devices to pods and claims
      validate     Says what is wrong with objects of the cluster, and what will surprise
      inventory    Lists what devices there are, what is free, and who holds the rest
      explain      Says why pods and claims wait for devices, and what would change that
      replay       Answers recorded cases, one JSON line each, or makes the calls of a trace again
      dump         Prints what the engine knows of the objects of the cluster, as one JSON document
      topo         Shows how devices are linked, and selects those that work best together
      cel          Checks and evaluates device selectors
      completions  Prints a completion script for a shell, or for `kubectl dralloc`
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Examples:
      kubectl dralloc explain --claim team-a/training
      kubectl dralloc inventory
      kubectl dralloc allocate --live -f pod.yaml
      kubectl dralloc validate --live -f manifests/
    Without `-f` commands about clusters read the one that `kubectl` is connected to, by
    `kubectl get`; `--live -f` lays files beside it. Nothing is written to the cluster.
    ");
}

#[test]
fn long_help_says_where_it_reads_from() {
    let help = Live::new().run(&["allocate", "--help"]).output;
    let (about, _) = help.split_once("\nOptions:\n").unwrap();
    assert_snapshot!(about, @"
    Allocates devices to pods and claims.

    Reads the cluster that `kubectl` is connected to, by `kubectl get`. With `-f` it reads files in the
    place of the cluster, and with `--live -f` files beside it: what if they were created? Nothing is
    written to the cluster.

    Reads what `kubectl get -o yaml` prints or what was written by hand: slices, classes, nodes, taint
    rules, claims, templates and pods, and of `dralloc.dev` topologies, attribute overlays, health and
    holds of devices. What is allocated already is held. Then pods that wait, with all their claims, and
    claims without a pod get devices in the order of their creation, each on the first node, by name, on
    which everything fits.

    Of the answers on a node the first in canonical order is given, as Kubernetes would, or with a
    policy the best. Claims and classes can carry one in their configuration; that of `--policy` counts
    before these.

    What a pod asks for as an extended resource, such as `nvidia.com/gpu: 2`, is devices of the class
    that has the name, and the pod gets a claim for them; on a node that lists some as allocatable a
    device plugin serves it.

    Looks at devices only: other resources of nodes, taints of nodes and affinities of pods are not
    considered.

    Exits with 0 if everything was allocated (with `--satisfiable`, if it would be), with 1 if something
    was not, and with 2 if the input cannot be used.

    Usage: kubectl dralloc allocate [OPTIONS]
    ");
}

/// Nobody who has the plugin has `dralloc` under that name.
#[test]
fn no_help_names_the_command_line_by_itself() {
    let live = Live::new();
    let commands = [
        &["allocate"][..],
        &["validate"],
        &["inventory"],
        &["explain"],
        &["replay"],
        &["dump"],
        &["topo"],
        &["topo", "show"],
        &["topo", "select"],
        &["topo", "import"],
        &["cel"],
        &["cel", "check"],
        &["cel", "eval"],
        &["completions"],
    ];
    for command in commands {
        for help in ["-h", "--help"] {
            let text = live.run(&[command, &[help]].concat()).output;
            for (start, _) in text.match_indices("dralloc ") {
                let before = &text[..start];
                assert!(
                    before.ends_with("kubectl ") || before.ends_with("complete "),
                    "{command:?}: {}",
                    &text[start..]
                );
            }
            assert!(!text.contains("from files"), "{command:?}: {text}");
        }
    }
}

#[test]
fn dralloc_by_itself_knows_no_cluster() {
    let run = dralloc(&["dump"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("--filename"), "{}", run.errors);
    let run = dralloc(&["dump", "-f", "-", "--context", "staging"]);
    assert_eq!(run.code, 2);
    let help = dralloc(&["dump", "--help"]).output;
    assert!(
        !help.contains("kubeconfig") && !help.contains("--live"),
        "{help}"
    );
}
