"""The one table: medians over rounds, ratios with their spread, and why a cell is empty."""
import statistics

from driver.loads import CAPACITY, OVERLOAD_RATE, overload_truth

COLUMNS = ["scenario", "tool", "answers/s", "CPU us/answer", "to wrk", "to best JVM peer", "peak MB", "p50 ms", "p99 ms", "remarks"]
_TRUE_MILLIS = 50.0
# Interrupts and the driver itself stay below this on a quiet machine.
_QUIET = 0.10


def rows(scenarios, tools, results):
    """`results` are dicts with scenario, tool, round and either the figures or `why` there are none."""
    table = []
    for scenario in scenarios:
        here = [r for r in results if r["scenario"] == scenario.name]
        costs = {tool.name: {r["round"]: r["cpu_micros"] for r in here if r["tool"] == tool.name and "cpu_micros" in r} for tool in tools}
        native = "wrk" if costs.get("wrk") else "h2load"
        peers = [tool.name for tool in tools if tool.jvm and not tool.name.startswith("threadgauge") and costs[tool.name]]
        best = min(peers, key=lambda name: statistics.median(costs[name].values()), default=None)
        for tool in tools:
            mine = [r for r in here if r["tool"] == tool.name]
            if not mine:
                continue
            good = [r for r in mine if "why" not in r]
            ratios = ["", ""]
            if scenario.judged_by == "cpu":
                ratios = [_ratio(costs, tool.name, base) for base in (native, best)]
                if native == "h2load" and ratios[0]:
                    ratios[0] += " h2load"
            if good:
                remarks = _remarks(scenario, good, mine, tool.name == best)
                table.append([scenario.name, tool.name, *_figures(scenario, good, ratios), remarks])
            else:
                table.append([scenario.name, tool.name] + ["-"] * 7 + [mine[0]["why"]])
    return table


def _figures(scenario, good, ratios):
    def median(key, form):
        values = [r[key] for r in good if r.get(key) is not None]
        return form.format(statistics.median(values)) if values else "-"

    if scenario.judged_by == "cpu":
        figures = [median("per_second", "{:,.0f}"), median("cpu_micros", "{:.2f}"), *(ratio or "-" for ratio in ratios)]
        return figures + [median("peak_mb", "{:.0f}"), "", ""]
    truth = (_TRUE_MILLIS, _TRUE_MILLIS) if scenario.judged_by == "truth" else overload_truth(scenario.load.seconds)["drained"]
    times = [_against(truth[index], [r["report"][key] for r in good]) for index, key in enumerate(("p50", "p99"))]
    return [median("per_second", "{:,.0f}"), "", "", "", median("peak_mb", "{:.0f}"), *times]


def _ratio(costs, name, base):
    if not base or name == base:
        return "1" if name == base and costs[name] else None
    ratios = [cost / costs[base][turn] for turn, cost in costs[name].items() if turn in costs.get(base, {})]
    if not ratios:
        return None
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


def _against(truth, values):
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    value = statistics.median(values)
    return f"{value:,.1f} ({(value / truth - 1) * 100:+.1f} %)"


def _remarks(scenario, good, mine, is_best):
    words = []
    if is_best and scenario.judged_by == "cpu":
        words.append("best JVM peer")
    rate = scenario.load.rate
    if rate and scenario.judged_by == "cpu":
        reached = statistics.median(r["per_second"] for r in good)
        if reached < 0.98 * rate:
            words.append(f"only {reached / rate:.0%} of the rate")
        elif reached > 1.02 * rate:
            words.append(f"{reached / rate:.0%} of the rate: it was catching up")
    if scenario.judged_by == "overload":
        words += _missing(good, rate * scenario.load.seconds)
    failed = sum(r["report"]["failed"] for r in good if r["report"])
    if failed:
        words.append(f"{failed:,} failed")
    if good[-1]["remark"]:
        words.append(good[-1]["remark"])
    if good[0]["counted_by"] != "server":
        words.append(f"counted by {good[0]['counted_by']}")
    late = [r["late"] / r["answered"] for r in good if r.get("late") is not None and r["answered"]]
    if late and max(late) > 0.01:
        words.append(f"server late by over 1 ms in {max(late):.1%}")
    wrong = sum(r.get("wrong") or 0 for r in good)
    if wrong:
        words.append(f"{wrong:,} requests without the values that they need")
    disturbed = statistics.median(r["disturbed"] for r in good)
    if disturbed > _QUIET:
        words.append(f"disturbed: others took {disturbed:.0%} of a core")
    if len(good) < len(mine):
        words.append(f"{len(mine) - len(good)} of {len(mine)} rounds failed: {next(r['why'] for r in mine if 'why' in r)}")
    return "; ".join(words)


def _missing(good, scheduled):
    share = statistics.median(max(0, 1 - r["report"]["counted"] / scheduled) for r in good)
    sent = statistics.median(r["came"] for r in good)
    return [f"{share:.1%} missing from its count; {sent:,.0f} of {scheduled:,} reached the server"]


def one_step(scenarios, results):
    """What a request costs as a scenario of one step, beside the same request by itself, as lines."""
    lines = []
    for scenario in scenarios:
        costs = {tool: {r["round"]: r["cpu_micros"] for r in results
                        if r["scenario"] == scenario.name and r["tool"] == tool and "cpu_micros" in r}
                 for tool in ("threadgauge", "threadgauge, one step")}
        ratio = _ratio(costs, "threadgauge, one step", "threadgauge")
        if ratio:
            lines.append(f"{scenario.name}: CPU of a scenario of one step ÷ that of a plain request, within rounds: {ratio}")
    return lines


def arithmetic(scenarios):
    """What a right tool must say of the overload, as lines."""
    lines = []
    for scenario in scenarios:
        if scenario.judged_by == "overload":
            seconds = scenario.load.seconds
            truth = overload_truth(seconds)
            requests = OVERLOAD_RATE * seconds
            lines.append(f"Overload: request k is meant for k/{OVERLOAD_RATE} s and answered at (k+1)/{CAPACITY} s, k < {requests:,}. So:")
            for name, words in (("drained", "all answers waited for (the errors above are against this)"),
                                ("censored", f"stopped at {seconds} s, the unanswered counted with their age"),
                                ("forgotten", f"stopped at {seconds} s, the unanswered not counted (and 80 % missing)")):
                lines.append(f"  p50 {truth[name][0]:>9,.0f} ms, p99 {truth[name][1]:>9,.0f} ms   {words}")
    return lines


def plain(table):
    lines = [COLUMNS, *table]
    widths = [max(len(str(line[index])) for line in lines) for index in range(len(COLUMNS))]
    numbers = range(2, 9)
    text, before = [], COLUMNS[0]
    for line in lines:
        if line[0] != before:
            text.append("")
            before = line[0]
        cells = [str(cell).rjust(width) if index in numbers else str(cell).ljust(width)
                 for index, (cell, width) in enumerate(zip(line, widths))]
        text.append("  ".join(cells).rstrip())
    return "\n".join(text)


def markdown(table):
    marks = ["---", "---"] + ["---:"] * 7 + ["---"]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in [COLUMNS, marks, *table])
