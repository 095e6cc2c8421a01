"""What is asked of every tool, and the arithmetic of a right answer."""
import dataclasses

# A load of 14 s is measured from second 6 to 12; a shorter one in proportion.
WINDOW = (6 / 14, 12 / 14)
OVERLOAD_RATE = 1_000
CAPACITY = 200


@dataclasses.dataclass(frozen=True)
class Load:
    seconds: int
    port: int = 0
    users: int = 0
    rate: int = 0
    connections: int = 100
    streams: int = 0
    patient: bool = False
    """Requests of a pass, of which later ones need values of earlier answers; 0 for single requests."""
    steps: int = 0

    @property
    def url(self):
        return f"{'https' if self.streams else 'http'}://127.0.0.1:{self.port}/hello"


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    server: object
    load: Load
    judged_by: str = "cpu"
    once: bool = False


def scenarios(seconds, overload_seconds, file_limit):
    """The overload's pool holds all that can be under way, so that a tool's own pool never decides."""
    backlog = OVERLOAD_RATE * overload_seconds - CAPACITY * overload_seconds
    pool = min(backlog + 500, file_limit - 500)
    return [
        Scenario("saturation", "as fast as it goes, 100 connections", "plain", Load(seconds, users=100)),
        Scenario("three-steps", "100 users, passes of 3 requests with 2 kept values", "carts", Load(seconds, users=100, steps=3)),
        Scenario("open-20000", "20,000/s offered", "plain", Load(seconds, rate=20_000)),
        Scenario("open-5000", "5,000/s offered", "plain", Load(seconds, rate=5_000)),
        Scenario("truth", "20 users, every answer takes 50 ms", ("delay", 50_000_000),
                 Load(seconds, users=20, connections=20), "truth"),
        Scenario("overload", f"{OVERLOAD_RATE:,}/s for {overload_seconds} s to a server of {CAPACITY}/s",
                 ("queue", 1_000_000_000 // CAPACITY),
                 Load(overload_seconds, rate=OVERLOAD_RATE, connections=pool, patient=True), "overload", once=True),
        Scenario("h2-1", "HTTP/2, TLS, 100 connections, 1 stream each", "tls", Load(seconds, users=100, streams=1)),
        Scenario("h2-10", "HTTP/2, TLS, 100 connections, 10 streams each", "tls", Load(seconds, users=1_000, streams=10)),
    ]


def percentile(sorted_values, percent):
    """Nearest rank, as HdrHistogram has it."""
    rank = max(1, -(-len(sorted_values) * percent // 100))
    return sorted_values[int(rank) - 1]


def overload_truth(seconds, rate=OVERLOAD_RATE, capacity=CAPACITY):
    """
    Request k is meant for k/rate and answered at (k+1)/capacity. Three conventions, as {name: (p50, p99)} in milliseconds:
    all were waited for; those without an answer at the end count with their age; they are forgotten.
    """
    pairs = [(k / rate, (k + 1) / capacity) for k in range(rate * seconds)]
    drained = sorted(done - meant for meant, done in pairs)
    censored = sorted(min(done, seconds) - meant for meant, done in pairs)
    forgotten = sorted(done - meant for meant, done in pairs if done <= seconds)
    both = {"drained": drained, "censored": censored, "forgotten": forgotten}
    return {name: (percentile(values, 50) * 1e3, percentile(values, 99) * 1e3) for name, values in both.items()}
