#!/bin/sh
# Four of the eight GPUs of a DGX-1: most rings run through one half of the cube.
dralloc topo select -f testdata/topologies/dgx1-v100.json --count 4 --svg docs/pictures/half-dgx1.svg
