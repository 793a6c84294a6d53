#!/bin/sh
# Asks the engine for the best move in a position, through a pipe:
#
#   scripts/best-move.sh "startpos moves 1,1"
#   scripts/best-move.sh "fen xo1/1x1/3 o" "reverse true" "player perfect"
#
# The first argument is what follows "position", the others are options. The engine is the program that NOUGHTS names, or
# noughts on the PATH, or the release build.
set -eu
if [ -z "${NOUGHTS:-}" ]; then
    NOUGHTS=$(command -v noughts || command -v "$(dirname "$0")/../target/release/noughts") || {
        echo 'error: there is no program noughts; set NOUGHTS, or put it on the PATH, or run cargo build --release' >&2
        exit 1
    }
    echo "the program is $NOUGHTS" >&2
fi
position=${1:-startpos}
[ $# -eq 0 ] || shift

{
    for option in "$@"; do
        printf 'setoption %s\n' "$option"
    done
    printf 'position %s\ngo\n' "$position"
} | "$NOUGHTS" | {
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
