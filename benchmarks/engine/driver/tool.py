"""What the driver asks of a tool. A tool knows how it is started and what its report means, and nothing of measuring."""
import os
import shutil

from driver.paths import PEERS


class Tool:
    name = ""
    jvm = False
    """A program of ours, that of a package, or the path of an installed one."""
    program = ""
    """It can send requests that depend on answers before."""
    has_steps = False
    """Extra remark for the table, by the kind of load."""
    open_remark = ""

    def path(self):
        installed = PEERS / "bin" / self.program
        return str(installed) if installed.exists() else shutil.which(self.program)

    def missing(self):
        """Why it is not there, or None."""
        if self.path():
            return None
        note = PEERS / f"{self.name}.missing"
        return note.read_text(encoding="utf-8").strip() if note.exists() else "run benchmarks/engine/install-peers"

    def unable(self, scenario):
        if scenario.load.steps and not self.has_steps:
            return "no requests that depend on answers"
        return self.cannot(scenario)

    def cannot(self, scenario):
        """Why it cannot carry this load, or None."""
        return None

    def command(self, load, folder):
        raise NotImplementedError

    def environment(self, load, folder):
        return {}

    def order(self, load):
        """A line to say to the process once it listens, or None."""
        return None

    def listens(self, running):
        return True

    def finished(self, running):
        return running.ended()

    def refusal(self, running):
        """Why the load was refused, or None."""
        return None

    def report(self, load, folder, running):
        """
        What the tool says of itself: `counted` (requests in its figures of latency), `failed`, `p50` and `p99` in ms, and,
        where it knows better than an average, `per_second`. More keys are kept in the raw results.
        """
        raise NotImplementedError

    def answered_between(self, running, load, begin, end):
        """Answers between two moments of the load, by the tool's own word, where no server counts."""
        return None

    def remark(self, scenario, report):
        return self.open_remark if scenario.load.rate else ""

    def tidy(self, folder):
        """Removes what is big."""


def remove(*parts):
    path = os.path.join(*parts)
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.exists(path):
        os.remove(path)
