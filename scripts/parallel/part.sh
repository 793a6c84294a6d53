#!/bin/sh
# One part of the match that match.sh plays. GNU Parallel tells its number in PARALLEL_SEQ.
exec "${NOUGHTS:-noughts}" match \
    --each cmd=noughts \
    --engine 'name=Hundred option.player=montecarlo option.trials=100' \
    --engine 'name=Twenty option.player=montecarlo option.trials=20' \
    --size 4 --openings random:2 --games "${GAMES:-1000000}" --seed 1 \
    --shard auto:parallel/8 --record 'match-{shard}.jsonl' --resume
