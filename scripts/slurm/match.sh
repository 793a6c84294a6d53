#!/bin/sh
# A match in eight parts on a cluster with Slurm. Submit it in a folder that all nodes share:
#
#   sbatch match.sh                          prints the number of the job
#   squeue --me                              what waits and what runs
#   noughts report match-*.jsonl             the tables, at any time; it names the parts that are missing
#
# Lines that begin with #SBATCH are options of sbatch. Eight tasks with the numbers 1 to 8, each with one core:
#SBATCH --job-name=noughts-match
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
# A task whose node dies is started again on another node, and goes on with its record:
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=match-%a.log
#
# To play a part again that failed for good: sbatch --array=3 match.sh. The number of parts stays the one that stands
# behind --shard auto/, so change it together with --array.

# The match. All parts need the same seed.
exec "${NOUGHTS:-noughts}" match \
    --each cmd=noughts \
    --engine 'name=Hundred option.player=montecarlo option.trials=100' \
    --engine 'name=Twenty option.player=montecarlo option.trials=20' \
    --size 4 --openings random:2 --games "${GAMES:-1000000}" --seed 1 \
    --shard auto/8 --record 'match-{shard}.jsonl' --resume
