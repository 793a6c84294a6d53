#!/bin/sh
# An exam of every position of 4x4 in eight parts with GNU Parallel. match.sh beside this file explains how it works.
#
#   sh exam.sh                               asks all parts, as many at a time as there are cores
#   noughts report exam-*.jsonl              the table, when all parts are complete; else it names those that are missing
seq 8 | parallel --retries 5 --workdir . -N0 "$@" -q "${NOUGHTS:-noughts}" exam \
    --engine 'cmd=noughts option.player=montecarlo' \
    --size 4 --sample "${SAMPLE:-all}" --trials 100 --seed 1 \
    --shard auto:parallel/8 --record 'exam-{shard}.jsonl' --resume
