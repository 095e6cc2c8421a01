"""Peers on the JVM: Gatling and Hyperfoil, with the options of memory that they ask for themselves."""
import json
import re

from driver.paths import PEERS, java
from driver.tool import Tool, remove


class _JvmPeer(Tool):
    jvm = True
    has_steps = True

    def path(self):
        folder = PEERS / self.name / "classes"
        return str(folder) if folder.exists() else None

    def classpath(self):
        return f"{self.path()}:{PEERS / self.name / 'lib'}/*"


class Gatling(_JvmPeer):
    name = "gatling"

    def cannot(self, scenario):
        return "no choice of streams for each connection" if scenario.load.streams else None

    def command(self, load, folder):
        properties = [f"-Durl=http://127.0.0.1:{load.port}", f"-Dseconds={load.seconds}"]
        properties += [f"-Dusers={load.users}"] if load.users else [f"-Drate={load.rate}", "-Dshared=true"]
        properties += ["-Dsteps=true"] if load.steps else []
        # No word to its maker's hosts: neither the warm-up nor the statistics of use.
        properties += ["-Dgatling.data.enableAnalytics=false", "-Dgatling.http.warmUpUrl=", "-Dgatling.http.requestTimeout=200000",
                       "-Dgatling.http.pooledConnectionIdleTimeout=200000"]
        return [java(), "-Xmx1G", "--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", *properties, "-cp", self.classpath(), "io.gatling.app.Gatling",
                "-s", "GatlingLoad", "-rf", "gatling"]

    def report(self, load, folder, running):
        def row(words):
            total, good = re.findall(rf"> {words} +\| +([\d,]+|-) \| +([\d,]+|-) ", running.read())[-1]
            return [0 if number == "-" else int(number.replace(",", "")) for number in (total, good)]

        total, good = row("request count")
        return {"counted": total, "failed": total - good, "p50": row(r"response time 50th percentile \(ms\)")[0],
                "p99": row(r"response time 99th percentile \(ms\)")[0]}

    def tidy(self, folder):
        remove(folder, "gatling")


class Hyperfoil(_JvmPeer):
    name = "hyperfoil"

    def command(self, load, folder):
        connections = load.users // load.streams if load.streams else load.users or load.connections
        properties = [f"-Dport={load.port}", f"-Dseconds={load.seconds}", f"-Dconnections={connections}"]
        properties += [f"-Dusers={load.users}"] if load.users else [f"-Drate={load.rate}"]
        properties += [f"-Dstreams={load.streams}"] if load.streams else []
        properties += ["-Dsteps=true"] if load.steps else []
        return [java(), "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", *properties,
                "-cp", self.classpath(), "HyperfoilLoad"]

    def report(self, load, folder, running):
        said = json.loads(next(line for line in reversed(running.read().splitlines()) if line.startswith("{")))
        return {"counted": said["answered"], "failed": said["failed"], "p50": said["p50Nanos"] / 1e6, "p99": said["p99Nanos"] / 1e6}
