/* Draws the charts of a search for the knee. Themes are in report.js. The page is readable without either. */
(function () {
  "use strict";
  const targets = JSON.parse(document.getElementById("knee-data").textContent);
  const root = document.documentElement;
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const charts = [];

  // --- The knee's interval as an upright band, and the knee as a line in it.
  const bandOf = (data) => ({
    id: "knee-band",
    beforeDatasetsDraw(chart) {
      if (!data.knee) return;
      const x = chart.scales.x;
      const area = chart.chartArea;
      const from = Math.max(area.left, x.getPixelForValue(data.knee.low));
      const to = Math.min(area.right, x.getPixelForValue(data.knee.high));
      chart.ctx.save();
      chart.ctx.fillStyle = colour("--band");
      chart.ctx.fillRect(from, area.top, Math.max(2, to - from), area.bottom - area.top);
      chart.ctx.fillStyle = colour("--ink");
      chart.ctx.fillRect(x.getPixelForValue(data.knee.perSecond) - 0.75, area.top, 1.5, area.bottom - area.top);
      chart.ctx.restore();
    },
  });

  const LOOKS = {
    KEPT: { style: "circle", paint: "--stack-3", words: "kept" },
    BROKEN: { style: "crossRot", paint: "--stack-2", words: "broken" },
    AGENT: { style: "triangle", paint: "--stack-5", words: "limited by the agent" },
    LATE: { style: "rectRot", paint: "--stack-6", words: "sent late" },
  };

  function latency(data) {
    const sets = Object.keys(LOOKS).map((outcome) => ({
      label: LOOKS[outcome].words, paint: LOOKS[outcome].paint, pointStyle: LOOKS[outcome].style, showLine: false,
      pointRadius: 5, pointHoverRadius: 7, borderWidth: 2,
      data: data.probes.filter((p) => p.outcome === outcome).map((p) => ({ x: p.rate, y: p.millis, name: p.name })),
    }));
    sets.push({
      label: "p50", paint: "--soft", pointStyle: "circle", pointRadius: 2, borderWidth: 1, showLine: false,
      data: data.probes.map((p) => ({ x: p.rate, y: p.p50, name: p.name })),
    });
    const rates = data.probes.map((p) => p.rate);
    if (data.limitMillis !== null && rates.length) sets.push({
      label: "limit of " + data.measure, paint: "--bad", pointRadius: 0, borderDash: [6, 4], borderWidth: 1.5, showLine: true,
      data: [Math.min(...rates), Math.max(...rates)].map((x) => ({ x: x, y: data.limitMillis })),
    });
    return { sets: sets, plugins: [bandOf(data)], x: "arrivals per second", xType: "logarithmic", yType: "logarithmic" };
  }

  function law(data) {
    const zip = (xs, ys) => xs.map((x, i) => ({ x: x, y: ys[i] }));
    const it = data.law;
    return {
      sets: [
        { label: "measured", paint: "--stack-1", pointRadius: 5, showLine: false, pointStyle: "circle", data: zip(it.concurrency, it.perSecond) },
        { label: "law", paint: "--ink", pointRadius: 0, borderWidth: 2, showLine: true, data: zip(it.curveConcurrency, it.curve) },
        { label: "from", paint: "--line-strong", pointRadius: 0, borderWidth: 0, showLine: true, data: zip(it.curveConcurrency, it.low) },
        { label: "to", paint: "--line-strong", pointRadius: 0, borderWidth: 0, showLine: true, fill: "-1", data: zip(it.curveConcurrency, it.high) },
      ],
      plugins: [], x: "concurrent requests", xType: "logarithmic", yType: "linear",
    };
  }

  function paintSets(sets) {
    sets.forEach((line) => {
      line.borderColor = line.pointBorderColor = colour(line.paint);
      line.backgroundColor = line.fill ? colour("--band") : colour(line.paint);
      line.pointBackgroundColor = colour(line.paint);
    });
  }

  function paint(chart) {
    ["x", "y"].forEach((axis) => {
      const scale = chart.options.scales[axis];
      scale.grid.color = colour("--grid");
      scale.border.color = colour("--line-strong");
      scale.ticks.color = scale.title.color = colour("--soft");
    });
    chart.options.plugins.legend.labels.color = colour("--ink");
  }

  function build(canvas) {
    const data = targets[Number(canvas.dataset.target)];
    const drawn = canvas.dataset.knee === "law" ? law(data) : latency(data);
    const axis = (type, words) => ({
      type: type, beginAtZero: type === "linear" && words === "", grid: {}, border: {},
      title: { display: !!words, text: words, font: { size: 11 } },
      ticks: { maxTicksLimit: 8, font: { size: 11 }, callback: (value) => format.format(value) },
    });
    // Points keep the colours that they are made with.
    paintSets(drawn.sets);
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets: drawn.sets },
      plugins: drawn.plugins,
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false,
        interaction: { mode: "nearest", intersect: true },
        scales: { x: axis(drawn.xType, drawn.x), y: axis(drawn.yType, "") },
        plugins: {
          legend: { labels: { usePointStyle: true, filter: (item) => item.text !== "from" && item.text !== "to", boxHeight: 7 } },
          tooltip: { callbacks: {
            title: (items) => (items.length && items[0].raw.name ? "probe " + items[0].raw.name : ""),
            label: (item) => " " + item.dataset.label + ": " + format.format(item.parsed.y) + " at " + format.format(item.parsed.x),
          } },
        },
      },
    });
    paint(chart);
    chart.update("none");
    charts.push(chart);
  }

  const buildAll = () => document.querySelectorAll("canvas[data-knee]").forEach(build);
  const repaint = () => {
    charts.splice(0).forEach((chart) => chart.destroy());
    buildAll();
  };
  buildAll();
  new MutationObserver(repaint).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
})();
