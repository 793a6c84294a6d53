#!/bin/sh
# Noughts against Fairy-Stockfish, an engine for chess variants that can be told of tic-tac-toe in a file:
#
#   scripts/fairy_stockfish.sh                                        100 games of 3x3, 10,000 nodes a move
#   scripts/fairy_stockfish.sh --size 5 --connect 4                   the same on another board, up to 10x10
#   scripts/fairy_stockfish.sh --size 10 --connect 5 --movetime 100   with another limit
#   scripts/fairy_stockfish.sh exam                                   every position of 3x3, normal rules
#
# The match runner writes the file and takes it away again. Whatever else is given goes to "noughts match" (or, behind
# exam, to "noughts exam"). NOUGHTS and FAIRY_STOCKFISH name other programs. Nothing is installed.
set -eu
noughts=${NOUGHTS:-$(dirname "$0")/../target/release/noughts}
# Debian keeps games in a folder that is not on every PATH.
PATH=$PATH:/usr/games:/usr/local/games
fairy=${FAIRY_STOCKFISH:-fairy-stockfish}

command -v "$noughts" > /dev/null || { echo "error: there is no $noughts; cargo build --release makes it" >&2; exit 1; }
command -v "$fairy" > /dev/null || {
    echo "error: there is no $fairy; on Debian and Ubuntu, apt-get install fairy-stockfish brings it" >&2
    exit 1
}

# What is not said. Random first moves, each played with both colours, so that no two pairs of games are alike; one seed,
# so that another run plays the same.
said=" $* "
case $said in
    *' --movetime'* | *' --tc'* | *' --nodes'* | *' --trials'*) ;;
    *) set -- "$@" --nodes 10000 ;;
esac
if [ "${1:-}" = exam ]; then
    shift
    # Fairy-Stockfish knows no reverse rules.
    exec "$noughts" exam --engine "cmd='$fairy' proto=uci" --rules normal "$@"
fi
case $said in *' --openings'*) ;; *) set -- "$@" --openings random:2 ;; esac
case $said in *' --games'*) ;; *) set -- "$@" --games 100 ;; esac
case $said in *' --seed'*) ;; *) set -- "$@" --seed 1 ;; esac
exec "$noughts" match --engine "name=Noughts cmd='$noughts'" --engine "name=Fairy-Stockfish cmd='$fairy' proto=uci" "$@"
