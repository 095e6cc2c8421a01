"""Peers that are no JVM: wrk, h2load, oha, vegeta and k6."""
import json
import os
import re
import subprocess

from driver.loads import percentile
from driver.paths import HERE
from driver.tool import Tool, remove

_UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


class Wrk(Tool):
    name = program = "wrk"

    def cannot(self, scenario):
        if scenario.load.streams:
            return "no HTTP/2"
        return "closed loads only" if scenario.load.rate else None

    def command(self, load, folder):
        return [self.path(), "-t1", f"-c{load.users}", f"-d{load.seconds}s", "--timeout", "60s", "--latency", load.url]

    def report(self, load, folder, running):
        said = running.read()
        times = {percent: float(number) * _UNITS[unit] for percent, number, unit in re.findall(r"(50|99)% +([\d.]+)(us|ms|s|m)\b", said)}
        return {"counted": int(re.search(r"(\d+) requests in", said).group(1)), "failed": 0, "p50": times["50"], "p99": times["99"]}


class H2load(Tool):
    name = program = "h2load"
    open_remark = "paced: each of 100 clients waits for its answer"

    def cannot(self, scenario):
        return "its clients wait for answers, so it offers less" if scenario.judged_by == "overload" else None

    def command(self, load, folder):
        clients = load.users // load.streams if load.streams else load.users or load.connections
        command = [self.path(), "-D", str(load.seconds), "-c", str(clients), "-t", "1", "-m", str(load.streams or 1)]
        if load.rate:
            command += ["--rps", str(load.rate // load.connections)]
        if load.users == 20:
            # It says no percentiles itself; at this rate the log costs nothing that matters.
            command += ["--log-file", os.path.join(folder, "h2load.tsv")]
        return command + ([load.url] if load.streams else ["--h1", load.url])

    def report(self, load, folder, running):
        said = running.read()
        counts = re.search(r"requests: .* (\d+) done, (\d+) succeeded, (\d+) failed", said)
        report = {"counted": int(counts.group(2)), "failed": int(counts.group(3)), "p50": None, "p99": None}
        log = os.path.join(folder, "h2load.tsv")
        if os.path.exists(log):
            with open(log, encoding="utf-8") as file:
                times = sorted(int(line.split("\t")[2]) / 1e3 for line in file)
            report.update(p50=percentile(times, 50), p99=percentile(times, 99), counted=len(times))
        return report


class Oha(Tool):
    name = program = "oha"

    def command(self, load, folder):
        clients = load.users // load.streams if load.streams else load.users or load.connections
        command = [self.path(), "--no-tui", "--output-format", "json", "-c", str(clients), "-t", "200s"]
        if load.patient:
            command += ["-n", str(load.rate * load.seconds)]
        else:
            command += ["-z", f"{load.seconds}s"]
        if load.rate:
            command += ["-q", str(load.rate), "--latency-correction"]
        if load.streams:
            command += ["--http2", "--insecure", "-p", str(load.streams)]
        return command + [load.url]

    def report(self, load, folder, running):
        said = json.loads(running.read())
        times = said["latencyPercentiles"]
        answered = sum(said["statusCodeDistribution"].values())
        errors = {what: count for what, count in said["errorDistribution"].items() if what != "aborted due to deadline"}
        return {"counted": answered, "failed": sum(errors.values()), "p50": times["p50"] * 1e3, "p99": times["p99"] * 1e3,
                "errors": errors}


class Vegeta(Tool):
    name = program = "vegeta"

    def cannot(self, scenario):
        return "no choice of connections: it opens one and fills it" if scenario.load.streams else None

    def command(self, load, folder):
        with open(os.path.join(folder, "targets"), "w", encoding="utf-8") as file:
            file.write(f"GET {load.url}\n")
        most = load.users or load.connections
        return [self.path(), "attack", "-targets", "targets", "-output", "vegeta.bin", f"-duration={load.seconds}s", "-timeout=200s",
                f"-rate={load.rate}/1s" if load.rate else "-rate=0", f"-workers={min(most, 100)}", f"-max-workers={most}",
                f"-connections={most}", "-http2=false"]

    def report(self, load, folder, running):
        command = [self.path(), "report", "-type=json", os.path.join(folder, "vegeta.bin")]
        said = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)
        answered = sum(count for status, count in said["status_codes"].items() if status.startswith("2"))
        return {"counted": said["requests"], "failed": said["requests"] - answered, "p50": said["latencies"]["50th"] / 1e6,
                "p99": said["latencies"]["99th"] / 1e6, "errors": said["errors"][:3]}

    def tidy(self, folder):
        remove(folder, "vegeta.bin")


class K6(Tool):
    name = program = "k6"
    has_steps = True

    def cannot(self, scenario):
        return "no choice of streams for each connection" if scenario.load.streams else None

    def command(self, load, folder):
        return [self.path(), "run", "--quiet", "--no-usage-report", str(HERE / "k6" / "load.js")]

    def environment(self, load, folder):
        return {"URL": load.url, **({"STEPS": "yes"} if load.steps else {}), "SECONDS": str(load.seconds), "OUT": os.path.join(folder, "k6.json"),
                "CONNECTIONS": str(load.connections), **({"USERS": str(load.users)} if load.users else {"RATE": str(load.rate)})}

    def report(self, load, folder, running):
        with open(os.path.join(folder, "k6.json"), encoding="utf-8") as file:
            said = json.load(file)
        times = said["http_req_duration"]["values"]
        failed = said["http_req_failed"]["values"]["passes"]
        dropped = said.get("dropped_iterations", {"values": {"count": 0}})["values"]["count"]
        return {"counted": said["http_reqs"]["values"]["count"], "failed": failed, "dropped": dropped,
                "p50": times["p(50)"], "p99": times["p(99)"]}

    def remark(self, scenario, report):
        return f"{report['dropped']:,} arrivals dropped" if report["dropped"] else ""
