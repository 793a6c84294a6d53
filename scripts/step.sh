# shellcheck shell=bash
# Headings for scripts of many steps: they read this file, it does nothing by itself.

began=$SECONDS
# Says what comes next, and how long the script has run.
step() { printf '\n== %s (%d s)\n' "$*" $((SECONDS - began)); }
