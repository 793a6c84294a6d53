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
    # Errors come as "info string error: ..."; the answer is the word behind "bestmove". After an error in an option
    # or the position the answer would be for another position than the one that was meant.
    wrong=0 status=1
    while read -r word rest; do
        case "$word $rest" in
            'info string error: setoption:'* | 'info string error: position:'*) echo "${rest#string }" >&2; wrong=1 ;;
            'info string error:'*) echo "${rest#string }" >&2 ;;
            bestmove*) [ $wrong -eq 1 ] || { echo "$rest"; status=0; } ;;
        esac
    done
    exit $status
}
