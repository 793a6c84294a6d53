#!/bin/sh
# A proof in eight parts with GNU Parallel. match.sh beside this file explains how it works.
#
#   noughts prove --size 9 --connect 6 --claim draw --no-theorems --split 1 --list list-1.jsonl
#   sh proof.sh
#   noughts prove --join list-1.jsonl answers-*.jsonl --out proof.txt --list list-2.jsonl
#   LIST=list-2.jsonl sh proof.sh            and so on, as long as the last command ends with exit code 3
seq 8 | parallel --retries 5 --workdir . -N0 "$@" -q "${NOUGHTS:-noughts}" prove --job "${LIST:-list-1.jsonl}" \
    --shard auto:parallel/8 --record 'answers-{shard}.jsonl' --resume
