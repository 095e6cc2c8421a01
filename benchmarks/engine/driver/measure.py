"""One load of one tool: start a server, start the tool, look at both over a steady window, stop both."""
import dataclasses
import time

from driver import processes
from driver.loads import WINDOW
from driver.processes import Running
from driver.servers import start_server


class NotMeasured(Exception):
    """The tool could not do it here; the message says why, for the table."""


_START_PATIENCE = 60


def measure(tool, scenario, cores, folder):
    server = start_server(scenario.server, cores[0], folder)
    running = None
    try:
        load = dataclasses.replace(scenario.load, port=server.port)
        running = Running(tool.command(load, folder), cores[1], folder, "tool", tool.environment(load, folder))
        started = _begin(tool, load, running, server)
        result = _window(tool, load, running, server, started, cores)
        if not _finished(tool, running, started + load.seconds + (150 if load.patient else 60)):
            return _without_report(scenario, server, result)
        _refused(tool, running)
        result["report"] = _report(tool, load, folder, running)
        _count_without_server(tool, load, running, result)
        result["answered"], result["came"], result["late"], result["wrong"] = server.counts()
        result["remark"] = tool.remark(scenario, result["report"])
        return result
    finally:
        if running:
            running.stop()
        server.running.stop()
        tool.tidy(folder)


def _finished(tool, running, deadline):
    while not tool.finished(running):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _without_report(scenario, server, result):
    """What the kernel and the server counted stands; a latency that was never reported does not."""
    if scenario.judged_by != "cpu" or "per_second" not in result:
        raise NotMeasured("did not end when the load was long over")
    result["answered"], result["came"], result["late"], result["wrong"] = server.counts()
    return {**result, "report": None, "remark": "stopped: did not end within 60 s after the load"}


def _begin(tool, load, running, server):
    """Gives back when the load began: when the server saw its first request, or connection."""
    deadline = time.monotonic() + _START_PATIENCE
    while not tool.listens(running):
        _await(running, deadline)
    order = tool.order(load)
    if order:
        running.say(order)
    while not server.started():
        _refused(tool, running)
        _await(running, deadline)
    return time.monotonic()


def _await(running, deadline):
    if running.ended():
        raise NotMeasured(f"ended before it sent anything: {running.last_words()}")
    if time.monotonic() > deadline:
        raise NotMeasured(f"sent nothing for {_START_PATIENCE} s")
    time.sleep(0.02)


def _refused(tool, running):
    why = tool.refusal(running)
    if why:
        raise NotMeasured(f"cannot yet: {why[:120]}")


def _window(tool, load, running, server, started, cores):
    """Time of the processor, answers and peak memory. The overload's is not steady, but shows what it costs."""
    begin, end = (started + load.seconds * part for part in WINDOW)
    if not processes.sleep_until(begin, running):
        _refused(tool, running)
        raise NotMeasured(f"ended too early: {running.last_words()}")
    first = _reading(running, server, cores)
    processes.sleep_until(end, running)
    last = _reading(running, server, cores)
    if running.ended():
        _refused(tool, running)
        raise NotMeasured(f"ended too early: {running.last_words()}")
    length = last["at"] - first["at"]
    result = {"window": [first["at"] - started, last["at"] - started], "cpu_seconds": last["cpu"] - first["cpu"], "peak_mb": last["peak"]}
    result["busy"] = result["cpu_seconds"] / length
    result["disturbed"] = _disturbed(first, last, length)
    if first["answered"] is not None:
        answered = last["answered"] - first["answered"]
        result.update(per_second=answered / length, counted_by="server")
        if answered:
            result["cpu_micros"] = result["cpu_seconds"] * 1e6 / answered
    return result


def _disturbed(first, last, length):
    """The largest share of either core that went to neither the tool nor the server."""
    tool = last["cores"][1] - first["cores"][1] - (last["cpu"] - first["cpu"])
    server = last["cores"][0] - first["cores"][0] - (last["server_cpu"] - first["server_cpu"])
    return max(tool, server, 0) / length


def _reading(running, server, cores):
    """Both readings take part of a millisecond; their middle is as good as one moment."""
    before = time.monotonic()
    answered = server.answered()
    cpu = processes.cpu_seconds(running.pid)
    at = (before + time.monotonic()) / 2
    return {"at": at, "answered": answered, "cpu": cpu, "server_cpu": processes.cpu_seconds(server.running.pid),
            "cores": [processes.core_seconds(core) for core in cores], "peak": processes.peak_megabytes(running.pid)}


def _report(tool, load, folder, running):
    try:
        return tool.report(load, folder, running)
    except (KeyError, ValueError, AttributeError, IndexError, StopIteration, OSError) as failure:
        raise NotMeasured(f"its report cannot be read ({failure!r}): {running.last_words()}") from failure


def _count_without_server(tool, load, running, result):
    if "per_second" in result:
        return
    begin, end = result["window"]
    answered = tool.answered_between(running, load, round(begin), round(end))
    if answered is None:
        result.update(per_second=result["report"]["counted"] / load.seconds, counted_by="tool, average of the whole load")
    else:
        result.update(per_second=answered / (round(end) - round(begin)), counted_by="tool, in the window")
    if not result["per_second"]:
        raise NotMeasured(f"no answers, and {result['report']['failed']:,} failures: it does not speak this protocol yet")
    result["cpu_micros"] = result["busy"] * 1e6 / result["per_second"]
