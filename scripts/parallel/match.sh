#!/bin/sh
# A match in eight parts with GNU Parallel, on this machine or on several. All machines share the folder.
#
#   sh match.sh                              plays all parts, as many at a time as there are cores
#   sh match.sh --sshlogin one,two,:         on the machines one and two and on this one (:)
#   noughts report match-*.jsonl             the tables, at any time; it names the parts that are missing
#
# A part that fails is started again, up to five times, and goes on with its record. After a power cut call the script
# again: parts that are complete end at once. PARALLEL_SEQ is the number of the part, from 1 to 8.
#
# -N0 starts the command without the number of the part, -q leaves its words as they are.
seq 8 | parallel --retries 5 --workdir . -N0 "$@" -q "${NOUGHTS:-noughts}" match \
    --each cmd=noughts \
    --engine 'name=Hundred option.player=montecarlo option.trials=100' \
    --engine 'name=Twenty option.player=montecarlo option.trials=20' \
    --size 4 --openings random:2 --games "${GAMES:-1000000}" --seed 1 \
    --shard auto:parallel/8 --record 'match-{shard}.jsonl' --resume
