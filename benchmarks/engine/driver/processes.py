"""Processes that cannot outlive the driver, and what they cost, as the kernel counts it."""
import ctypes
import os
import resource
import signal
import subprocess
import time

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_CPUCLOCK_SCHED = 2
_running = []


def raise_file_limit():
    """Children inherit it. Gives back the limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Running:
    """A process in a group of its own, on one core. The kernel kills it when the driver dies, however that happens."""

    def __init__(self, command, core, folder, name, environment=None):
        self.out = os.path.join(folder, name + ".out")
        self.log = os.path.join(folder, name + ".log")
        driver = os.getpid()

        def before_exec():
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != driver:
                os._exit(1)
            os.sched_setaffinity(0, {core})

        with open(self.out, "wb") as out, open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=out, stderr=log, cwd=folder, start_new_session=True,
                preexec_fn=before_exec, env={**os.environ, **(environment or {})})
        self.pid = self.process.pid
        _running.append(self)

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ended(self):
        return self.process.poll() is not None

    def await_end(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def stop(self):
        """Ends the whole group: asks, and after five seconds no longer asks."""
        if self.process.stdin:
            try:
                self.process.stdin.close()
            except OSError:
                pass
        for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:
                break
            if self.await_end(patience):
                break
        self.await_end(1)
        if self in _running:
            _running.remove(self)

    def read(self):
        with open(self.out, encoding="utf-8", errors="replace") as file:
            return file.read()

    def last_words(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in (file.read() + "\n" + self.read()).splitlines() if line.strip()]
        return lines[-1][:160] if lines else "no word"


def stop_all():
    for running in list(_running):
        running.stop()


def tree(pid):
    """The process and all that descend from it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    parents.setdefault(int(file.read().rsplit(b")", 1)[1].split()[1]), []).append(int(entry))
            except (OSError, IndexError):
                pass
    found, left = [], [pid]
    while left:
        each = left.pop()
        found.append(each)
        left += parents.get(each, [])
    return found


def cpu_seconds(pid):
    """
    User and system time of the whole tree so far, in nanoseconds' steps: the kernel's clock of each process, which
    /proc/PID/stat shows in steps of 10 ms. See clock_getcpuclockid(3) for its number.
    """
    seconds = 0.0
    for each in tree(pid):
        try:
            seconds += time.clock_gettime((~each << 3) | _CPUCLOCK_SCHED)
        except OSError:
            pass
    return seconds


def core_seconds(core):
    """Time that a core was not idle so far, whoever used it; what the hypervisor took (steal) is in it."""
    with open("/proc/stat", encoding="utf-8") as file:
        ticks = next(list(map(int, line.split()[1:9])) for line in file if line.startswith(f"cpu{core} "))
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(pid):
    """Most memory that was resident, VmHWM, added up over the tree."""
    kilobytes = 0
    for each in tree(pid):
        try:
            with open(f"/proc/{each}/status", encoding="utf-8") as file:
                kilobytes += next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
        except OSError:
            pass
    return kilobytes / 1024


def sleep_until(moment, running):
    """False if the process ends before that moment of the monotonic clock."""
    while (left := moment - time.monotonic()) > 0:
        if running.ended():
            return False
        time.sleep(min(left, 0.2))
    return True
