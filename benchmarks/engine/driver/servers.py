"""The servers under load: each has one core, and all but the one of HTTP/2 count for themselves what they answered."""
import os
import socket
import subprocess
import time

from driver.paths import HERE, JAR, java
from driver.processes import Running

_JVM = ["-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class CountingServer:
    """Says on a second port how much it answered: `answered`, `answered came late`, or `answered came late wrong`."""

    def __init__(self, command, core, folder, warm_seconds):
        self.port, self.control = free_port(), free_port()
        self.running = Running([*command, str(self.port), str(self.control)], core, folder, "server")
        self._await()
        self._warm(warm_seconds)
        self.base = self._counts()

    def answered(self):
        return self._counts()[0] - self.base[0]

    def counts(self):
        """Answered, came, late, wrong; those are None that the server does not know."""
        counts = [now - before for now, before in zip(self._counts(), self.base)]
        return (counts + [None, None, None])[:4]

    def started(self):
        return self.answered() > 0

    def _counts(self):
        with socket.create_connection(("127.0.0.1", self.control), timeout=5) as control:
            return [int(word) for word in control.makefile().readline().split()]

    def _await(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not self.running.ended():
            try:
                self._counts()
                with socket.create_connection(("127.0.0.1", self.port), timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"the server does not listen: {self.running.last_words()}")

    def _warm(self, seconds):
        """Rounds of one request on each of 20 connections, so that no tool meets a server that has just begun."""
        request = b"GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        users = [socket.create_connection(("127.0.0.1", self.port), timeout=30) for _ in range(20)]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for user in users:
                user.sendall(request)
            for user in users:
                user.recv(4096)
        for user in users:
            user.close()
        time.sleep(0.2)


class TlsServer:
    """nghttpd, for HTTP/2 over TLS. It has no counter."""

    def __init__(self, core, folder):
        self.port = free_port()
        docroot = os.path.join(folder, "docroot")
        os.makedirs(docroot, exist_ok=True)
        with open(os.path.join(docroot, "hello"), "w", encoding="utf-8") as file:
            file.write("hello")
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        self.running = Running(
            ["nghttpd", "-a", "127.0.0.1", "-d", docroot, "-n", "1", str(self.port), key, certificate], core, folder, "server")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                time.sleep(0.3)
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"nghttpd does not listen: {self.running.last_words()}")

    def answered(self):
        return None

    def counts(self):
        return None, None, None, None

    def started(self):
        """True when a connection is open: nothing else tells from outside that the load has begun."""
        wanted = f"0100007F:{self.port:04X}"
        with open("/proc/net/tcp", encoding="utf-8") as file:
            return any(line.split()[1] == wanted and line.split()[3] == "01" for line in file.readlines()[1:])


def start_server(kind, core, folder):
    if kind == "tls":
        return TlsServer(core, folder)
    if kind == "plain":
        command = [java(), *_JVM, "-cp", str(JAR), "threadgauge.load.agent.InternalServer"]
        return CountingServer(command, core, folder, warm_seconds=2)
    if kind == "carts":
        return CountingServer([java(), *_JVM, str(HERE / "servers" / "CartServer.java")], core, folder, warm_seconds=4)
    # One compiler, because a second one would compete for the core with what has to be on time.
    program = [java(), *_JVM, "-XX:TieredStopAtLevel=1", str(HERE / "servers" / "TrueServer.java")]
    mode, nanos = kind
    return CountingServer([*program, mode, str(nanos)], core, folder, warm_seconds=2)
