"""Our load agent, started as run/agent/AgentStart.kt does, in a fresh process each time."""
import base64
import json
import subprocess

from driver.loads import WINDOW
from driver.paths import HERE, JAR, java
from driver.tool import Tool

# AGENT_OPTIONS of bench/src/main/kotlin/run/agent/AgentStart.kt.
_OPTIONS = ["-Xms128m", "-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled", "--enable-native-access=ALL-UNNAMED"]


_POST = {"method": "POST", "body": '{"item": 7}'}
# A cart, an item and a payment: the second and the third need the number and the token of the first.
_THREE_STEPS = [
    {"name": "cart", "request": {**_POST, "path": "/carts", "expect": {"statuses": [201]}},
     "keep": {"cart": {"type": "json", "path": "id"}, "token": {"type": "header", "name": "X-Token"}}},
    {"name": "items", "request": {**_POST, "path": "/carts/{cart}/items", "headers": {"X-Token": "{token}"}}},
    {"name": "pay", "request": {**_POST, "path": "/carts/{cart}/pay", "headers": {"X-Token": "{token}"},
                                "expect": {"json": {"state": "PAID"}}}},
]


class Agent(Tool):
    name = "threadgauge"
    jvm = True
    has_steps = True

    def missing(self):
        return None

    def command(self, load, folder):
        return [java(), *_OPTIONS, "-cp", str(JAR), "threadgauge.load.agent.AgentMainKt", "1"]

    def listens(self, running):
        return '"type":"ready"' in running.read()

    def order(self, load):
        order = {
            "id": 1, "load": self._shape(load), "request": self._request(load),
            "targets": [{"host": "127.0.0.1", "port": load.port}], "scenarios": self._scenarios(load),
        }
        order.update(self._limits(load))
        return json.dumps(order)

    def _request(self, load):
        return {"path": "/hello"}

    def _scenarios(self, load):
        return [{"name": "buy", "weight": 1.0, "steps": _THREE_STEPS}] if load.steps else []

    def _shape(self, load):
        nanos = load.seconds * 1_000_000_000
        if load.rate:
            return {"type": "rate", "ratePerSecond": load.rate, "forNanos": nanos}
        return {"type": "users", "users": load.users, "forNanos": nanos}

    def _limits(self, load):
        if load.streams:
            tls = {"protocol": "HTTP_2", "tls": {"insecure": True}, "streams": load.streams}
            return {"connections": tls}
        limits = {"connections": {"most": load.connections}}
        if load.patient:
            limits.update({"drainNanos": 100_000_000_000, "responseTimeoutNanos": 200_000_000_000})
        return limits

    def finished(self, running):
        said = running.read()
        return '"type":"done"' in said or '"type":"refused"' in said or running.ended()

    def refusal(self, running):
        for message in _messages(running):
            if message["type"] == "refused":
                return message["why"]
        # An order that the agent cannot read ends the thread that reads, and nothing else.
        with open(running.log, encoding="utf-8", errors="replace") as log:
            return next((line.strip() for line in log if 'Exception in thread "orders"' in line), None)

    def report(self, load, folder, running):
        messages = _messages(running)
        done = next(m for m in messages if m["type"] == "done")
        parts = [f"latency {m['latency']}" for m in messages if m["type"] == "second"]
        steady = range(round(load.seconds * WINDOW[0]), round(load.seconds * WINDOW[1]))
        parts += [f"steadyLatency {m['latency']}" for m in messages if m["type"] == "second" and m["second"] in steady]
        parts += [f"sendDelay {done['sendDelay']}", f"serviceTime {done['serviceTime']}"]
        figures = _percentiles(parts)
        failed = sum(done["failures"].values())
        # Time-outs, unfinished and unsent requests are in the latency, with their age; see LoadRecorder.
        kept = done["answered"] + done["unfinished"] + done["unsent"]
        kept += sum(done["failures"].get(outcome, 0) for outcome in ("RESPONSE_TIMEOUT", "CONNECT_TIMEOUT"))
        histograms = ("latency", "serviceTime", "sendDelay")
        return {
            "counted": kept, "failed": failed, "p50": figures["latency"]["p50"], "p99": figures["latency"]["p99"],
            "figures": figures, "done": {key: value for key, value in done.items() if key not in histograms},
        }

    def answered_between(self, running, load, begin, end):
        seconds = {m["second"]: m["answered"] for m in _messages(running) if m["type"] == "second"}
        return sum(answered for second, answered in seconds.items() if begin <= second < end)

    def remark(self, scenario, report):
        done, words = report["done"], []
        if scenario.load.rate and scenario.judged_by == "cpu":
            figures = report["figures"]
            words.append(f"p99 of intended to sent {figures['sendDelay']['p99']:.2f} ms, cold start included")
            words.append(f"of intended to answered in the window {figures['steadyLatency']['p99']:.2f} ms")
        if done["unsent"] or done["unfinished"]:
            words.append(f"{done['answered']:,} answered; {done['unsent']:,} unsent and {done['unfinished']:,} unfinished, with their age")
        return "; ".join(words)


class AgentOneStep(Agent):
    """The same request as a scenario of one step."""

    name = "threadgauge, one step"

    def cannot(self, scenario):
        return None if scenario.name in ("saturation", "open-20000", "open-5000") else ""

    def _scenarios(self, load):
        return [{"name": "hello", "weight": 1.0, "steps": [{"name": "hello", "request": self._request(load)}]}]


class AgentChecking(Agent):
    """Compares every body, as the bench always does. The others do not."""

    name = "threadgauge, checking"

    def cannot(self, scenario):
        if scenario.name in ("saturation", "open-20000", "open-5000"):
            return None
        return ""

    def _request(self, load):
        return {"path": "/hello", "expect": {"body": "hello"}}


class AgentAsShipped(Agent):
    """Pool and patience as they are unless told, for the overload alone."""

    name = "threadgauge, defaults"

    def cannot(self, scenario):
        return None if scenario.judged_by == "overload" else ""

    def _limits(self, load):
        return {}


def _messages(running):
    messages = []
    for line in running.read().splitlines():
        try:
            messages.append(json.loads(line))
        except ValueError:
            pass  # The last line may be half written.
    return messages


def _percentiles(lines):
    for line in lines:
        base64.b64decode(line.split()[1], validate=True)
    program = [java(), "-cp", str(JAR), str(HERE / "agent" / "Percentiles.java")]
    said = subprocess.run(program, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60).stdout
    rows = [line.split() for line in said.splitlines()]
    return {name: {"count": int(count), "p50": int(p50) / 1e6, "p99": int(p99) / 1e6, "max": int(top) / 1e6}
            for name, count, p50, p99, top in rows}
