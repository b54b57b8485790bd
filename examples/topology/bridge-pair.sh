#!/bin/sh
# Two GPUs that share a bridge, while gpu0 and gpu6 are taken: not the two that have lost
# their partners, and the other whole bridge stays whole.
dralloc topo select -f testdata/topologies/a100-pcie-x8-bridge-pairs.json --count 2 --free gpu1,gpu2,gpu3,gpu4,gpu5,gpu7 --svg docs/pictures/bridge-pair.svg
