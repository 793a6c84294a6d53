#!/bin/sh
# An exam of every position of 4x4, in eight parts on a cluster with Slurm. Submit it in a folder that all nodes share:
#
#   sbatch exam.sh                           prints the number of the job
#   squeue --me                              what waits and what runs
#   noughts report exam-*.jsonl              the table, when all parts are complete; else it names those that are missing
#
# Lines that begin with #SBATCH are options of sbatch. match.sh beside this file explains them.
#SBATCH --job-name=noughts-exam
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=exam-%a.log

exec "${NOUGHTS:-noughts}" exam \
    --engine 'cmd=noughts option.player=montecarlo' \
    --size 4 --sample "${SAMPLE:-all}" --trials 100 --seed 1 \
    --shard auto/8 --record 'exam-{shard}.jsonl' --resume
