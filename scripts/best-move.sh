#!/bin/sh
# Asks the engine for the best move in a position, through a pipe:
#
#   scripts/best-move.sh "startpos moves 1,1"
#   scripts/best-move.sh "fen xo1/1x1/3 o" "reverse true" "player perfect"
#
# The first argument is what follows "position", the others are options. NOUGHTS names another engine.
set -eu
engine=${NOUGHTS:-$(dirname "$0")/../target/release/noughts}
position=${1:-startpos}
[ $# -eq 0 ] || shift

{
    for option in "$@"; do
        printf 'setoption %s\n' "$option"
    done
    printf 'position %s\ngo\n' "$position"
} | "$engine" | {
    # Errors come as "info string error: ..."; the answer is the word behind "bestmove".
    status=1
    while read -r word rest; do
        case "$word $rest" in
            'info string error:'*) echo "${rest#string }" >&2; status=2 ;;
            bestmove*) echo "$rest"; [ $status -eq 2 ] || status=0 ;;
        esac
    done
    exit $status
}
