#!/bin/sh
# Four units of a GPU and the NIC on its PCIe switch.
dralloc topo show -f testdata/topologies/hgx-h100-pix-pairs.json --devices gpu0,nic0,gpu1,nic1,gpu2,nic2,gpu3,nic3 --svg docs/pictures/gpu-and-nic-units.svg
