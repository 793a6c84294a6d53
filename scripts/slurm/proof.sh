#!/bin/sh
# A proof in parts on a cluster with Slurm. The questions that are left after the first move are answered by eight tasks, in a
# folder that all nodes share:
#
#   noughts prove --size 9 --connect 6 --claim draw --no-theorems --split 1 --list list-1.jsonl
#   sbatch proof.sh
#   noughts prove --join list-1.jsonl answers-*.jsonl --out proof.txt --list list-2.jsonl
#
# If the last command ends with exit code 3, questions are left. Then the tasks answer the next list, with more nodes each:
#
#   LIST=list-2.jsonl sbatch proof.sh
#   noughts prove --join list-2.jsonl answers-*.jsonl --out proof.txt --list list-3.jsonl
#
# Lines that begin with #SBATCH are options of sbatch. match.sh beside this file explains them.
#SBATCH --job-name=noughts-proof
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=proof-%a.log

exec "${NOUGHTS:-noughts}" prove --job "${LIST:-list-1.jsonl}" \
    --shard auto/8 --record 'answers-{shard}.jsonl' --resume
