"""What the figures depend on besides the tools."""
import datetime
import os
import platform
import re
import subprocess
import sys

from driver.paths import JAR, PEERS, ROOT, java


def check():
    """Says at once what would otherwise fail in every row."""
    words = _first_line([java(), "-version"])
    version = re.search(r'"(\d+)', words)
    if not version or int(version.group(1)) < 25:
        sys.exit(f"set JAVA_HOME to a JDK of 25 or newer: {java()} is {words}")
    if not JAR.exists():
        sys.exit("build the agent first: mvn -DrunOnly package")


def header(seed, rounds, seconds, cores):
    lines = [
        f"date       {datetime.datetime.now().astimezone().isoformat(timespec='seconds')}",
        f"kernel     {platform.release()}",
        f"CPU        {_cpu()}, {os.cpu_count()} cores; server on core {cores[0]}, tool on core {cores[1]}",
        f"load       {os.getloadavg()[0]:.2f} on average in the last minute, before the first round",
        f"java       {_first_line([java(), '-version'])}",
        f"ours       {_first_line(['git', '-C', str(ROOT), 'describe', '--always', '--dirty'])}",
    ]
    versions = PEERS / "versions"
    lines += [f"{line}" for line in (versions.read_text(encoding="utf-8").splitlines() if versions.exists() else [])]
    return lines + [f"rounds     {rounds}, {seconds} s for each load, seed {seed}"]


def _cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())


def _first_line(command):
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=20)
        return (said.stdout + said.stderr).splitlines()[0]
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return "unknown"
