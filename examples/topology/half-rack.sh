#!/bin/sh
# Half of an NVL72 rack: nine trays, and the other nine stay whole.
dralloc topo select -f testdata/topologies/gb200-nvl72-rack.json --count 36 --svg docs/pictures/half-rack.svg
