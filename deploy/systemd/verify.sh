#!/bin/sh
# Check the units with systemd, if installed: verify.sh HOME, the folder of the room on this machine.
set -eu
command -v systemd-analyze >/dev/null || { echo "no systemd here: its units are compared by tests only"; exit 0; }
here=$(dirname "$0")
units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT
for unit in "$here"/*.service "$here"/*.target; do
    sed "s#/opt/room#$1#g" "$unit" > "$units/$(basename "$unit")"
done
systemd-analyze verify --man=no --recursive-errors=no "$units"/*
