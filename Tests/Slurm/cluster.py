"""A Slurm of three virtual nodes in namespaces of its own: nothing outside sees it, and all of it ends with this process.

    python cluster.py COMMAND...        runs a command as the first user of such a machine
    python cluster.py --obstacle        says why that is impossible here, with status 1

The command runs in new namespaces of network, processes, mounts and host names. A node is a slurmd in a further namespace of
processes, with a host name of its own: killing that namespace kills slurmd, its slurmstepd and the tasks at once, as a power cut
does. Linux; root; Debian's packages slurm-wlm and munge.
"""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

NODES = ["n1", "n2", "n3"]
HOST = "controller"
# A virtual node has more processors than the machine, so that several cases run at the same time.
PROCESSORS = 256
PROGRAMS = ["slurmctld", "slurmd", "sbatch", "scontrol", "munged", "mungekey", "unshare", "ip"]
SPACES = ["--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]


def obstacle():
    """Why there can be no cluster here, or None."""
    if os.geteuid() != 0:
        return "not root"
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        return f"missing: {', '.join(missing)} (apt-get install slurm-wlm munge iproute2)"
    try:
        tried = subprocess.run(["unshare", *SPACES, "true"], capture_output=True, text=True)
    except OSError as error:
        return str(error)
    return None if tried.returncode == 0 else f"no namespaces: {tried.stderr.strip()}"


def enter(command):
    """Runs a command in namespaces of its own; ends with its status. All that it started ends with it."""
    # The kernel ends the namespaces when their first process ends, and that when this one does.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    os.execvp("unshare", ["unshare", *SPACES, sys.executable, __file__, "--first", *command])


def first(command):
    """The first process in the namespaces: sets up host name and network, runs the command, and waits for orphans, too."""
    subprocess.run(["hostname", HOST], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # With nothing but 127.0.0.1, the resolver leaves out addresses (AI_ADDRCONFIG), and Slurm finds no host.
    subprocess.run(["ip", "address", "add", "10.99.0.1/32", "dev", "lo"], check=True)
    hosts = Path("/run") if os.access("/run", os.W_OK) else Path("/tmp")
    hosts = hosts / f"veery-slurm-hosts-{os.urandom(4).hex()}"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"10.99.0.1 {name}\n" for name in [HOST, *NODES]))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    hosts.unlink()
    child = os.posix_spawnp(command[0], command, os.environ)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: os.kill(child, number))
    while True:
        ended, status = os.wait()
        if ended == child:
            sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)


class Cluster:
    """slurmctld, munged, and a slurmd for each node, with all their files in `folder`."""

    def __init__(self, folder, array=1001):
        self.folder = Path(folder)
        self.processes = {}
        for name in ["state", "munge", *NODES]:
            (self.folder / name).mkdir(parents=True)
        munge = self.folder / "munge"
        self.folder.chmod(0o755)
        subprocess.run(["mungekey", "--create", "--keyfile", munge / "key"], check=True)
        self.start("munged", [
            "munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
            f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed", "--num-threads=2"])
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(textwrap.dedent(f"""\
            ClusterName=veery
            SlurmctldHost={HOST}
            SlurmUser=root
            AuthType=auth/munge
            # A job that is requeued waits as long as a credential is valid, by default 120 s.
            AuthInfo=socket={munge}/socket,cred_expire=5
            CredType=cred/munge
            StateSaveLocation={self.folder}/state
            SlurmdSpoolDir={self.folder}/%n
            SlurmctldPidFile={self.folder}/slurmctld.pid
            SlurmdPidFile={self.folder}/%n.pid
            SlurmctldPort=16817
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU,CR_LLN
            SlurmdParameters=config_overrides
            JobRequeue=1
            JobCompType=jobcomp/filetxt
            JobCompLoc={self.folder}/jobs.txt
            MaxArraySize={array}
            MaxJobCount=5000
            ReturnToService=2
            SlurmdTimeout=10
            KillWait=5
            MessageTimeout=20
            SchedulerParameters=sched_interval=1,batch_sched_delay=1,bf_interval=2,sched_min_interval=0
            MpiDefault=none
            NodeName=DEFAULT CPUs={PROCESSORS} RealMemory=64000 State=UNKNOWN
            NodeName=n1 NodeAddr=10.99.0.1 Port=17001 Feature=safe
            NodeName=n2 NodeAddr=10.99.0.1 Port=17002 Feature=frozen
            NodeName=n3 NodeAddr=10.99.0.1 Port=17003 Feature=killed
            PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
            """))
        os.environ["SLURM_CONF"] = str(self.configuration)
        self.until(lambda: (munge / "socket").exists(), 10, "munged")
        self.start("slurmctld", ["slurmctld", "-D", "-i"])
        for name in NODES:
            self.start_node(name)
        self.until(lambda: self.node_states() == {name: "IDLE" for name in NODES}, 30, "three idle nodes")

    def start(self, name, command):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def start_node(self, name):
        """A node whose processes have a namespace, so that they have a common end. The shell waits for orphans."""
        self.start(name, [
            "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts",
            "sh", "-c", f"hostname {name}; slurmd -D -N {name} & wait"])

    def kill_node(self, name):
        """As a power cut: slurmd, slurmstepd and the tasks at once."""
        self.processes[name].kill()
        self.processes[name].wait()

    def signal_node(self, name, number, program=None):
        """Sends a signal to all processes of a node, or to those that run a program; how many these are."""
        parents, names = {}, {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(process.name)] = int(re.search(r"PPid:\s+(\d+)", (process / "status").read_text())[1])
                names[int(process.name)] = Path((process / "cmdline").read_bytes().decode().split("\0")[0]).name
            except OSError:
                continue
        found = {self.processes[name].pid}
        while more := {process for process, parent in parents.items() if parent in found} - found:
            found |= more
        chosen = [process for process in found if program in (None, names.get(process))]
        for process in chosen:
            with contextlib.suppress(ProcessLookupError):  # it has ended since
                os.kill(process, number)
        return len(chosen)

    def node_states(self):
        lines = run("sinfo", "--noheader", "--Node", "--format=%N %T").split("\n")
        return {name: state.upper() for name, state in (line.split() for line in lines if line)}

    def jobs(self, name):
        """What became of the jobs of a name that have ended, as dictionaries; a requeued job ends several times."""
        lines = (self.folder / "jobs.txt").read_text().splitlines() if (self.folder / "jobs.txt").exists() else []
        found = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        return [job for job in found if job["Name"] == name]

    def until(self, condition, seconds, what):
        """Waits until a condition holds; what the daemons said last is part of the error if it does not."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                logs = "".join(
                    f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-25:]) + "\n"
                    for path in sorted(self.folder.glob("*.log")))
                queue = subprocess.run(["squeue", "--array"], capture_output=True, text=True).stdout
                raise TimeoutError(f"not within {seconds} s: {what}\n{queue}\n{logs}")
            time.sleep(0.1)
        return found

    def stop(self):
        for process in reversed(self.processes.values()):
            process.kill()
            process.wait()


def run(*command, **options):
    """The standard output of a command that has to succeed; empty where it did not, as while the controller starts."""
    return subprocess.run(command, capture_output=True, text=True, **options).stdout


if __name__ == "__main__":
    if sys.argv[1] == "--obstacle":
        sys.exit(obstacle())
    if sys.argv[1] == "--first":
        first(sys.argv[2:])
    enter(sys.argv[1:])
