#!/usr/bin/env bash
# Makes tests/data/positions.csv anew: positions from biased play, and from climbing on the solver's node count.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --locked --test search -- --ignored --nocapture makes_the_positions_anew
