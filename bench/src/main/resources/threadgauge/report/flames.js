/* Draws flame graphs when they are opened. Tables beside them have their largest methods, also without this script. */
(function () {
  "use strict";
  const embedded = document.getElementById("flame-data");
  if (!embedded) return;
  const data = JSON.parse(embedded.textContent);
  const STEPS = 100000;
  const ROW = 1.35; // rem
  const THIN = 12; // Pixels: a narrower frame has no room for a letter.
  const SEEN = 1; // A narrower one cannot be seen.
  const LEVELS = [0.005, 0.02, 0.06, 0.15];
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const number = (value) => (value >= 1000 ? whole : digits).format(value);
  const percent = (share) => digits.format(share * 100) + " %";

  /* The tree of a graph below a node that stands for all of it. Values are per request. */
  function treeOf(graph) {
    const size = graph.isDifference ? 4 : 3;
    const root = {
      label: "all threads", name: "all threads", place: "", kind: "threads", value: graph.total, base: graph.base,
      calls: [], caller: null, depth: 0,
    };
    const path = [root];
    for (let at = 0; at < graph.nodes.length; at += size) {
      const [label, name, place, kind] = data.methods[graph.nodes[at + 1]];
      const depth = graph.nodes[at] + 1;
      const node = {
        label: label, name: name, place: place, kind: kind, value: graph.nodes[at + 2] / STEPS * graph.total,
        base: graph.isDifference ? graph.nodes[at + 3] / STEPS * graph.base : 0, calls: [], caller: path[depth - 1],
        depth: depth,
      };
      node.caller.calls.push(node);
      path[depth] = node;
    }
    place(root, graph, 0);
    return root;
  }

  /* Where a node begins and how wide it is, as shares of the whole graph. */
  function place(node, graph, from) {
    const all = graph.isDifference ? graph.total + graph.base : graph.total;
    node.from = from;
    node.width = all > 0 ? (node.value + node.base) / all : 0;
    let next = from;
    node.calls.forEach((call) => { place(call, graph, next); next += call.width; });
  }

  function words(node, graph) {
    const share = graph.total > 0 ? node.value / graph.total : 0;
    const amount = graph.isDifference ?
      number(node.base) + " → " + number(node.value) + " " + graph.unit :
      number(node.value) + " " + graph.unit + ", " + percent(share);
    return amount;
  }

  function start(details) {
    const box = details.querySelector(".flame");
    const graph = data.graphs[Number(box.dataset.flame)];
    const search = details.querySelector(".flame-search");
    const found = details.querySelector(".flame-found");
    const detail = details.querySelector(".flame-detail");
    const root = treeOf(graph);
    let zoomed = root;
    let current = root;
    let wanted = "";

    const isHit = (node) => wanted !== "" && node.name.toLowerCase().includes(wanted);
    const isWithin = (node, outer) => {
      for (let at = node; at; at = at.caller) if (at === outer) return true;
      return false;
    };

    function show(node) {
      const source = node.place ? " · " + node.place : "";
      detail.textContent = node.name + source + " · " + words(node, graph);
    }

    function frame(node, left, width, pixels) {
      const made = document.createElement("div");
      const isColouredByChange = graph.isDifference && node.kind !== "threads";
      made.className = "frame " + (isColouredByChange ? change(node) : "frame-" + node.kind);
      made.setAttribute("role", "treeitem");
      made.setAttribute("aria-level", String(node.depth + 1));
      made.setAttribute("aria-label", node.name + ", " + words(node, graph));
      made.title = node.name + (node.place ? "\n" + node.place : "") + "\n" + words(node, graph);
      made.tabIndex = node === current ? 0 : -1;
      made.style.left = left * 100 + "%";
      made.style.width = width * 100 + "%";
      made.style.top = node.depth * ROW + "rem";
      if (node !== zoomed && isWithin(zoomed, node)) made.classList.add("around");
      if (isHit(node)) made.classList.add("hit");
      if (pixels < THIN) made.classList.add("thin"); else made.textContent = node.label;
      made.addEventListener("click", () => { current = node; zoom(node); });
      made.addEventListener("focus", () => { current = node; show(node); });
      made.addEventListener("mouseenter", () => show(node));
      node.element = made;
      return made;
    }

    /* One of four colours, by the share of the whole graph that the difference is. */
    function change(node) {
      const more = node.value - node.base;
      const level = LEVELS.filter((least) => Math.abs(more) >= least * Math.max(graph.total, graph.base)).length;
      return level === 0 ? "same" : (more > 0 ? "grew-" : "shrank-") + level;
    }

    /* Nodes around the zoomed one are as wide as the graph; those below it fill it. */
    function draw(hasFocus) {
      const pixels = box.clientWidth;
      const frames = [];
      let deepest = 0;
      function add(node) {
        const isAround = node === zoomed || isWithin(zoomed, node);
        const left = isAround ? 0 : (node.from - zoomed.from) / zoomed.width;
        const width = isAround ? 1 : node.width / zoomed.width;
        if (width * pixels < SEEN) return;
        deepest = Math.max(deepest, node.depth);
        frames.push(frame(node, left, width, width * pixels));
        node.calls.forEach((call) => { if (isWithin(zoomed, call) || isWithin(call, zoomed)) add(call); });
      }
      forget(root);
      add(root);
      if (!current.element) current = zoomed;
      current.element.tabIndex = 0;
      box.classList.toggle("zoomed", zoomed !== root);
      box.classList.toggle("searched", wanted !== "");
      const floor = document.createElement("div");
      floor.setAttribute("role", "none");
      floor.style.height = (deepest + 1) * ROW + "rem";
      box.replaceChildren(floor, ...frames);
      if (hasFocus) { current.element.focus(); current.element.scrollIntoView({ block: "nearest" }); }
      show(current);
    }

    function forget(node) {
      node.element = null;
      node.calls.forEach(forget);
    }

    function zoom(node) {
      zoomed = node;
      draw(true);
    }

    function go(node) {
      if (!node || !node.element) return;
      current.element.tabIndex = -1;
      current = node;
      node.element.tabIndex = 0;
      node.element.focus();
      node.element.scrollIntoView({ block: "nearest" });
    }

    function beside(step) {
      const drawn = current.caller ? current.caller.calls.filter((call) => call.element) : [];
      return drawn[drawn.indexOf(current) + step];
    }

    /* The part of the graph that matches: what is called by a match counts once, with it. */
    function find() {
      wanted = search.value.trim().toLowerCase();
      let share = 0;
      const names = new Set();
      (function look(node, isInside) {
        const hit = isHit(node);
        if (hit) names.add(node.name);
        if (hit && !isInside) share += graph.total > 0 ? node.value / graph.total : 0;
        node.calls.forEach((call) => look(call, isInside || hit));
      })(root, false);
      found.textContent = wanted === "" ? "" : names.size === 0 ? "nothing matches" :
        percent(share) + " matches, in " + names.size + (names.size === 1 ? " name" : " names");
      draw(false);
    }

    box.addEventListener("keydown", (event) => {
      const acts = {
        ArrowDown: () => go(current.calls.find((call) => call.element)),
        ArrowUp: () => go(current.caller),
        ArrowRight: () => go(beside(1)),
        ArrowLeft: () => go(beside(-1)),
        Home: () => go(root),
        Enter: () => zoom(current),
        " ": () => zoom(current),
        Escape: () => zoom(root),
      };
      const act = acts[event.key];
      if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
    search.addEventListener("input", find);
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      search.value = "";
      find();
    });
    details.querySelector(".flame-whole").addEventListener("click", () => { current = root; zoom(root); });
    new ResizeObserver(() => { if (box.clientWidth !== drawnAt) { drawnAt = box.clientWidth; draw(false); } })
      .observe(box);
    let drawnAt = box.clientWidth;
    draw(false);
  }

  document.querySelectorAll("details.flames").forEach((details) => details.addEventListener("toggle", () => {
    // Before printing everything is opened, and graphs are not printed.
    if (!details.open || details.dataset.drawn || document.documentElement.classList.contains("paper")) return;
    details.dataset.drawn = "yes";
    start(details);
  }));
})();
