/* Draws the charts and switches themes. The report is readable without it: all text, tables and plots are in the HTML. */
(function () {
  "use strict";
  // Pages without charts, such as a history, have no data.
  const embedded = document.getElementById("chart-data");
  const data = embedded ? JSON.parse(embedded.textContent) : { stacks: [], situations: [] };
  const root = document.documentElement;
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const charts = [];

  // --- Theme: follows the system until somebody chooses; the choice is kept where the browser allows it.
  const button = document.getElementById("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches;
  function showTheme() {
    button.setAttribute("aria-pressed", String(isDark()));
    charts.forEach((chart) => { paint(chart); chart.update("none"); });
  }
  try {
    const kept = localStorage.getItem("threadgauge-theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch (forbidden) { /* private windows may forbid storage */ }
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("threadgauge-theme", root.dataset.theme); } catch (forbidden) { /* as above */ }
    showTheme();
  });
  systemDark.addEventListener("change", showTheme);
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  // --- What each chart draws of a run: pairs of horizontal and vertical values, solid or dotted.
  const zip = (xs, ys) => xs.map((x, i) => ({ x: x, y: ys[i] }));
  const DRAWN = {
    rate: (run) => [
      { points: zip(run.second, run.answered) },
      { points: zip(run.second, run.sent), faint: true, what: "sent" },
    ],
    active: (run) => [{ points: zip(run.second, run.active) }],
    cpu: (run) => [
      { points: zip(run.cpuSecond, run.cpuTotal) },
      { points: zip(run.cpuSecond, run.cpuUser), faint: true, what: "user" },
    ],
    p50: (run) => [{ points: zip(run.second, run.p50) }],
    p90: (run) => [{ points: zip(run.second, run.p90) }],
    p99: (run) => [{ points: zip(run.second, run.p99) }],
    warm: (run) => [{ points: zip(run.warmSecond, run.warmAnswered) }],
  };

  function runOf(cell, choice) {
    if (!cell) return null;
    return choice === "typical" ? cell.runs[cell.typical] : cell.runs.find((run) => String(run.trial) === choice) || null;
  }

  function datasets(block, key) {
    const situation = data.situations[Number(block.dataset.situation)];
    const select = block.querySelector("select");
    const choice = select ? select.value : "typical";
    const drawn = [];
    situation.cells.forEach((cell, index) => {
      const run = runOf(cell, choice);
      const pressed = block.querySelector('.key[data-stack="' + index + '"]');
      if (!run || (pressed && pressed.getAttribute("aria-pressed") === "false")) return;
      const stack = data.stacks[index];
      DRAWN[key](run).forEach((line) => drawn.push({
        label: stack.title + (line.what ? ", " + line.what : ""),
        owner: stack, faint: !!line.faint, data: line.points, parsing: false, spanGaps: false,
        borderWidth: line.faint ? 1.2 : 2, borderDash: line.faint ? [2, 3] : stack.dashed ? [7, 4] : [],
        pointStyle: stack.shape, rotation: stack.rotation, pointRadius: line.faint ? 0 : 3,
        pointHoverRadius: 5, pointHitRadius: 8,
      }));
    });
    return drawn;
  }

  function paint(chart) {
    chart.data.datasets.forEach((line) => {
      line.borderColor = line.backgroundColor = colour("--stack-" + line.owner.colour);
    });
    ["x", "y"].forEach((axis) => {
      const scale = chart.options.scales[axis];
      scale.grid.color = axis === "y" ? colour("--grid") : "transparent";
      scale.border.color = colour("--line-strong");
      scale.ticks.color = scale.title.color = colour("--soft");
    });
  }

  // Integers whole, other numbers with four digits, as in Numbers.kt.
  const whole = new Intl.NumberFormat("en");
  const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const plain = { format: (value) => (Number.isInteger(value) ? whole : digits).format(value) };
  function draw(canvas) {
    if (canvas.dataset.drawn) return;
    canvas.dataset.drawn = "yes";
    const block = canvas.closest(".seconds");
    const axis = (words, more) => Object.assign({
      beginAtZero: true, grid: {}, border: {}, title: { display: !!words, text: words, font: { size: 11 } },
      ticks: { maxTicksLimit: 6, font: { size: 11 }, callback: (value) => plain.format(value) },
    }, more);
    const chart = new Chart(canvas, {
      type: "line",
      // Beware of the property `stack` in a dataset: Chart.js would pile those lines on top of one another.
      data: { datasets: datasets(block, canvas.dataset.chart) },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: axis("seconds", { type: "linear" }),
          y: axis("", { type: isLogarithmic(block) ? "logarithmic" : "linear" }),
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            usePointStyle: true,
            callbacks: {
              title: (items) => items.length ? "second " + plain.format(items[0].parsed.x) : "",
              label: (item) => " " + item.dataset.label + ": " + plain.format(item.parsed.y),
            },
          },
        },
      },
    });
    paint(chart);
    chart.update("none");
    charts.push(chart);
  }

  function isLogarithmic(block) {
    const pressed = block.querySelector(".scale-switch");
    return !!pressed && pressed.getAttribute("aria-pressed") === "true";
  }

  function redraw(block) {
    charts.filter((chart) => block.contains(chart.canvas)).forEach((chart) => {
      chart.options.scales.y.type = isLogarithmic(block) ? "logarithmic" : "linear";
      chart.data.datasets = datasets(block, chart.canvas.dataset.chart);
      paint(chart);
      chart.update("none");
    });
  }

  // --- Tables of the seconds follow the chosen trial. Columns as in SecondBySecond.kt.
  function fillTables(block, choice) {
    const situation = data.situations[Number(block.dataset.situation)];
    const text = (value, digits) => {
      if (value === null || value === undefined) return "–";
      return digits === undefined ? plain.format(value) : value.toFixed(digits);
    };
    const cell = (tag, words) => {
      const made = document.createElement(tag);
      made.className = "number";
      made.textContent = words;
      return made;
    };
    block.querySelectorAll("table[data-table]").forEach((table) => {
      const run = runOf(situation.cells[Number(table.dataset.table)], choice);
      const shown = run ? "trial " + run.trial : "trial " + choice + " was not measured";
      table.querySelector(".shown-trial").textContent = shown;
      const rows = !run ? [] : run.second.map((second, i) => {
        const process = run.cpuSecond.findIndex((at) => Math.floor(at) === second);
        const load = [run.sent, run.answered, run.failed, run.active, run.p50, run.p90, run.p99];
        const columns = load.map((column) => text(column[i]));
        columns.push(text(run.cpuUser[process], 2), text(run.cpuTotal[process], 2));
        const head = cell("th", String(second));
        head.scope = "row";
        const row = document.createElement("tr");
        row.append(head, ...columns.map((words) => cell("td", words)));
        return row;
      });
      table.tBodies[0].replaceChildren(...rows);
    });
  }

  document.querySelectorAll(".seconds").forEach((block) => {
    block.querySelectorAll(".key").forEach((key) => key.addEventListener("click", () => {
      key.setAttribute("aria-pressed", String(key.getAttribute("aria-pressed") === "false"));
      redraw(block);
    }));
    const logarithmic = block.querySelector(".scale-switch");
    if (logarithmic) logarithmic.addEventListener("click", () => {
      logarithmic.setAttribute("aria-pressed", String(!isLogarithmic(block)));
      redraw(block);
    });
    const select = block.querySelector("select");
    if (select) select.addEventListener("change", () => { redraw(block); fillTables(block, select.value); });
  });

  // --- Charts are drawn when they come near the screen, and all of them before printing.
  const canvases = Array.from(document.querySelectorAll("canvas[data-chart]"));
  const near = new IntersectionObserver((seen) => seen.filter((entry) => entry.isIntersecting).forEach((entry) => {
    near.unobserve(entry.target);
    draw(entry.target);
  }), { rootMargin: "600px" });
  canvases.forEach((canvas) => near.observe(canvas));
  let opened = [];
  let themeOnScreen;
  window.addEventListener("beforeprint", () => {
    themeOnScreen = root.dataset.theme;
    root.dataset.theme = "light";
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach((details) => { details.open = true; });
    root.classList.add("paper");
    canvases.forEach(draw);
    charts.forEach((chart) => { chart.options.devicePixelRatio = 3; chart.resize(); });
    showTheme();
  });
  window.addEventListener("afterprint", () => {
    if (themeOnScreen) root.dataset.theme = themeOnScreen; else delete root.dataset.theme;
    opened.forEach((details) => { details.open = false; });
    root.classList.remove("paper");
    charts.forEach((chart) => { delete chart.options.devicePixelRatio; chart.resize(); });
    showTheme();
  });

  // --- A link into something folded opens it.
  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details");
    if (folded && !folded.open) { folded.open = true; target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", openTarget);
  openTarget();
  showTheme();
})();
