/* Search as it is typed, the choice of two runs, keys, and runs under way. All pages are readable without it. */
(function () {
  "use strict";
  const element = (id) => document.getElementById(id);
  const isTyping = () => /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName) &&
    document.activeElement.type !== "checkbox";

  // --- The list of runs.
  const search = element("search");
  const chosen = [];
  let asking = null;

  /* Replaces the results by those of the server for this address. A later search ends an earlier one. */
  async function load(address) {
    if (asking) asking.abort();
    asking = new AbortController();
    try {
      const answer = await fetch(address, { signal: asking.signal });
      if (!answer.ok) return;
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("results");
      if (!found) return;
      element("results").replaceWith(found);
      showChosen();
    } catch (ended) { /* a newer search, or a server that has ended: the list stays */ }
  }

  function searched() {
    const asked = new URLSearchParams();
    const words = element("query").value.trim();
    if (words) asked.set("q", words);
    if (element("state").value) asked.set("state", element("state").value);
    const address = String(asked) ? "/?" + asked : "/";
    history.replaceState(null, "", address);
    return load(address);
  }

  // --- Two runs to lay side by side. A third takes the place of the first.
  const boxes = () => Array.from(document.querySelectorAll("#results input[name=run]"));
  function showChosen() {
    boxes().forEach((box) => {
      box.checked = chosen.includes(box.value);
      box.closest(".run").classList.toggle("picked", box.checked);
    });
    const words = ["Choose two runs to lay them side by side.", "Choose another run.", "Two runs are chosen."];
    element("chosen-words").textContent = words[chosen.length];
    element("side-by-side").disabled = chosen.length !== 2;
  }
  function pick(value, isChosen) {
    const at = chosen.indexOf(value);
    if (isChosen && at < 0) chosen.push(value);
    if (!isChosen && at >= 0) chosen.splice(at, 1);
    if (chosen.length > 2) chosen.shift();
    showChosen();
  }
  function sideBySide() {
    if (chosen.length !== 2) return;
    location.assign("/compare?" + chosen.map((run) => "run=" + encodeURIComponent(run)).join("&"));
  }

  // --- Keys: the same as the hint below the search says.
  function go(by) {
    const links = Array.from(document.querySelectorAll("#results .name a"));
    if (!links.length) return;
    const row = document.activeElement.closest ? document.activeElement.closest(".run") : null;
    const at = row ? links.indexOf(row.querySelector(".name a")) : by > 0 ? -1 : links.length;
    links[Math.min(links.length - 1, Math.max(0, at + by))].focus();
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping()) {
      if (event.key === "Escape") document.activeElement.blur();
      if (event.key === "ArrowDown" && document.activeElement.id === "query") { event.preventDefault(); go(1); }
      return;
    }
    const row = document.activeElement.closest(".run");
    const box = row && row.querySelector("input[name=run]");
    const does = {
      "/": () => { element("query").focus(); element("query").select(); },
      j: () => go(1), k: () => go(-1), c: sideBySide,
      x: () => { if (box && !box.disabled) pick(box.value, !box.checked); },
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  }

  if (search) {
    let waiting = 0;
    element("query").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(searched, 120);
    });
    element("state").addEventListener("change", searched);
    search.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(waiting); searched(); });
    element("choice").addEventListener("change", (event) => {
      if (event.target.name === "run") pick(event.target.value, event.target.checked);
    });
    element("choice").addEventListener("submit", (event) => { event.preventDefault(); sideBySide(); });
    document.addEventListener("keydown", key);
    boxes().filter((box) => box.checked).forEach((box) => pick(box.value, true));
    showChosen();
    // Runs that are under way or not read yet: the list is asked for again, but not under the reader's fingers.
    setInterval(() => {
      const results = element("results");
      if (!results.dataset.changing || document.hidden || results.contains(document.activeElement)) return;
      load(location.pathname + location.search);
    }, 3000);
  }

  // --- A run under way.
  const live = element("live");
  const EVERY = 1000;
  const LOST_EVERY = 5000;
  function set(node, text) {
    if (!node || node.textContent === text) return;
    node.textContent = text;
    node.classList.add("changed");
    setTimeout(() => node.classList.remove("changed"), 600);
  }
  function items(list, texts, make) {
    list.replaceChildren(...texts.map(make));
  }
  function withText(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }
  function show(run) {
    live.dataset.version = run.version;
    const status = element("live-status");
    status.textContent = run.status;
    status.className = "tag " + run.style;
    element("live-words").textContent = run.words;
    if (run.share === null) element("live-share").removeAttribute("value"); else element("live-share").value = run.share;
    items(element("live-now"), run.now, (text) => withText("li", text));
    element("live-notice").textContent = run.notice || "";
    element("live-notice").hidden = !run.notice;
    run.cells.forEach((cell, index) => {
      const row = document.querySelector('[data-cell="' + index + '"]');
      if (!row) return;
      row.querySelectorAll("td .median").forEach((node, at) => set(node, cell.texts[at]));
      row.querySelector(".live-curve path").setAttribute("d", cell.curve);
      row.querySelector(".newest").textContent = cell.newest;
    });
    const probes = element("live-probes");
    if (probes) items(probes, run.probes, (texts) => {
      const row = document.createElement("tr");
      row.append(...texts.map((text) => withText("td", text)));
      return row;
    });
    if (run.isOver) {
      delete live.dataset.following;
      element("live-report").textContent = "The report";
    }
  }
  async function follow() {
    let next = EVERY;
    if (!document.hidden) {
      try {
        const since = encodeURIComponent(live.dataset.version);
        const answer = await fetch(location.pathname + ".json?since=" + since);
        if (answer.status === 200) show(await answer.json());
        element("live-lost").hidden = answer.ok;
        if (!answer.ok) next = LOST_EVERY;
      } catch (unreachable) {
        element("live-lost").hidden = false;
        next = LOST_EVERY;
      }
    }
    if (live.dataset.following) setTimeout(follow, next);
  }
  if (live && live.dataset.following) setTimeout(follow, EVERY);
})();
