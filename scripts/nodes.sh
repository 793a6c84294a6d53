# shellcheck shell=bash
# Four nodes of Slurm that are simulated on this machine, for scripts that read this file. Everything that is started
# here is ended when the script ends.

fail() {
    echo "error: $*" >&2
    exit 1
}

# A process and everything below it.
family() {
    local child
    for child in $(pgrep -P "$1" || true); do family "$child"; done
    echo "$1"
}

# Ends what was started here: a process may be gone already.
end() {
    local process members
    for process in "$@"; do
        mapfile -t members < <(family "$process")
        kill -KILL "${members[@]}" 2> /dev/null || true
    done
}

started=()
end_everything() {
    local code=$? left
    end "${started[@]}"
    # Nothing is started any more. What runs still is ours, because no other Slurm was there.
    mapfile -t left < <(pgrep -f '^slurmstepd: \[')
    end "${left[@]}"
    exit "$code"
}

# Waits up to so many seconds until a command succeeds.
wait_for() {
    local seconds=$1 patience=$(($1 * 10))
    shift
    until "$@"; do
        patience=$((patience - 1))
        [ $patience -gt 0 ] || fail "waited $seconds s for: $*"
        sleep 0.1
    done
}
has_lines() { [ "$(cat "$1" 2> /dev/null | wc -l)" -ge "$2" ]; }

all_done() { [ -z "$(squeue --noheader 2> /dev/null)" ]; }
are_idle() { [ "$(sinfo --noheader --states=idle --format=%D 2> /dev/null)" = 4 ]; }
is_pending() { [ "$(squeue --noheader --jobs="$job" --format=%t 2> /dev/null)" = PD ]; }

# Starts four nodes of Slurm on this machine, without root services: one slurmctld and four slurmd. They keep their files in a
# folder. Everything is ended when the script ends, also when it fails.
start_nodes() {
    if pgrep -x slurmctld > /dev/null || pgrep -x slurmd > /dev/null; then fail 'a Slurm runs on this machine already'; fi
    local host number folder=$1 state=$1/state
    host=$(hostname -s)
    mkdir "$state"
    cat > "$folder/slurm.conf" << END
ClusterName=noughts
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17000
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$state
SlurmdSpoolDir=$state/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
SlurmdTimeout=6
SlurmdParameters=config_overrides
NodeName=node[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17001-17004] CPUs=1
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$folder/slurm.conf
    trap end_everything EXIT
    # In the foreground (-D), so that their numbers are known.
    slurmctld -D 2> /dev/null &
    started+=($!)
    disown
    nodes=()
    for number in 1 2 3 4; do
        slurmd -D -N node$number 2> /dev/null &
        started+=($!)
        nodes+=($!)
        disown
    done
    wait_for 60 are_idle
}

# Ends the node of the task with this number, and all that runs on it, when a file has so many lines. Its task begins
# again on another node. The file gets so many lines within so many seconds, 150 by default.
node_dies() {
    local task=$1 file=$2 job node step dead
    wait_for "${4:-150}" has_lines "$file" "$3"
    # The number of the job, and the place of its node.
    read -r job node < <(squeue --noheader --array --states=running --format='%A %K %N' |
        awk -v task="$task" '$2 == task { print $1, substr($3, 5) }') || fail "task $task does not run"
    # The process in which the job runs has left the family of its node. Slurm names it by the number of the job, and no
    # other Slurm may run here meanwhile.
    step=$(pgrep -f "^slurmstepd: \[$job\.batch\]" || true)
    [ -n "$step" ] || fail "job $job has no process"
    mapfile -t dead < <(family "$step")
    kill -KILL "${nodes[node - 1]}" "${dead[@]}"
    echo "node$node died with $(wc -l < "$file") lines of part $task"
    # Slurm lets a task of a dead node wait for two minutes. This ends the wait.
    wait_for 150 is_pending
    scontrol update jobid="$job" starttime=now
}
