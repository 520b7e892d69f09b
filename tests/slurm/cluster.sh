# Starts a Slurm cluster of two nodes on this machine, without accounting, systemd and munge. Sourced by tests/slurm/run,
# which sets `work`, a temporary folder. Needs root, and the Debian packages slurmctld, slurmd and slurm-client.
# shellcheck shell=bash

nodes=(n1 n2)
daemons=()

# Prints a free port.
free_port() {
    /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Writes the configuration. Each node has one core, as far as Slurm knows. Accounting is off, as on most small clusters.
# A node that does not answer for ten seconds is down.
configure_cluster() {
    local host node
    host=$(hostname -s)
    mkdir -p "$work/etc" "$work/state"
    cat >"$work/etc/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
MaxArraySize=1001
ReturnToService=2
SlurmdTimeout=10
KillWait=5
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/slurmd-%n.pid
SlurmdLogFile=$work/slurmd-%n.log
SlurmdSpoolDir=$work/spool-%n
SlurmdParameters=config_overrides
END
    for node in "${nodes[@]}"; do
        mkdir -p "$work/spool-$node"
        echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=8000 State=UNKNOWN"
    done >>"$work/etc/slurm.conf"
    echo "PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP" >>"$work/etc/slurm.conf"
    export SLURM_CONF=$work/etc/slurm.conf
}

# Starts the daemons in the background, and waits until both nodes are idle.
start_cluster() {
    local node
    slurmctld -D >"$work/slurmctld.out" 2>&1 &
    daemons+=("$!")
    # The shell must not report that a daemon was killed.
    disown "$!"
    for node in "${nodes[@]}"; do start_node "$node"; done
    for _ in {1..60}; do
        [ "$(sinfo --noheader --states=idle --format='%D' 2>/dev/null)" != 2 ] || return 0
        sleep 1
    done
    echo 'the cluster did not start; the ends of its logs:'
    tail -n 20 "$work"/*.log "$work"/*.out
    return 1
}

start_node() {
    slurmd -D -N "$1" >"$work/slurmd-$1.out" 2>&1 &
    daemons+=("$!")
    # The shell must not report that a daemon was killed.
    disown "$!"
}

# Prints those of the given processes that are daemons of this cluster. The number of a daemon that was killed may belong
# to another program by now.
own_daemons() {
    local process
    for process; do
        if grep -qxE 'slurm(ctl|step)?d' "/proc/$process/comm" 2>/dev/null &&
            grep -zqx "SLURM_CONF=$SLURM_CONF" "/proc/$process/environ" 2>/dev/null; then
            echo "$process"
        fi
    done
}

# Prints the processes below the process $1, and $1 itself.
tree_of() {
    local child
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null || true); do tree_of "$child"; done
    echo "$1"
}

# Stops the node $1 as a power failure would: kills its daemon, and all processes of its jobs.
kill_node() {
    local daemon step processes=()
    daemon=$(own_daemons "$(cat "$work/slurmd-$1.pid")")
    # Each step has a daemon of its own, whose parent is init. Its name contains that of the node.
    mapfile -t processes < <(
        [ -z "$daemon" ] || tree_of "$daemon"
        # shellcheck disable=SC2046 # each number is a word
        for step in $(own_daemons $(pgrep -x slurmstepd || true)); do
            of_node "$step" "$1" && tree_of "$step"
        done
    )
    # The processes that the first signals let go start no new ones, because their parents are killed first.
    kill -KILL "${processes[@]}" 2>/dev/null || true
}

# Returns whether a process of the step daemon $1 runs on the node $2.
of_node() {
    local process
    for process in $(tree_of "$1"); do
        grep -zqx "SLURMD_NODENAME=$2" "/proc/$process/environ" 2>/dev/null && return 0
    done
    return 1
}

# Cancels all jobs and ends the daemons that this shell has started.
stop_cluster() {
    local node
    scancel --user=root 2>/dev/null || true
    for _ in {1..20}; do
        [ -n "$(squeue --noheader 2>/dev/null)" ] || break
        sleep 0.5
    done
    for node in "${nodes[@]}"; do kill_node "$node" 2>/dev/null || true; done
    mapfile -t daemons < <(own_daemons "${daemons[@]}")
    kill -KILL "${daemons[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
}
