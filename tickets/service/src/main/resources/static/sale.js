"use strict";
// Polls the sale once a second, and reserves by hand. It stores nothing itself.
const at = id => document.getElementById(id);
const whole = value => Math.round(value).toLocaleString("en");
const SHOWN_SECONDS = 120;
const kinds = ["granted", "tooFew", "busy", "unknown"];
const rates = [];
let before = null;

async function request(path, options) {
  const response = await fetch(path, options);
  const body = await response.json().catch(() => ({}));
  return { status: response.status, body };
}

async function findEvents() {
  const { body } = await request("events");
  const chosen = at("event").value || new URLSearchParams(location.search).get("event");
  const options = body.map(event => new Option(`${event.id}: ${event.name}`, event.id));
  const ids = body.map(event => String(event.id)).join();
  if (at("event").dataset.ids !== ids) {
    at("event").dataset.ids = ids;
    at("event").replaceChildren(...options);
    if (body.some(event => String(event.id) === chosen)) at("event").value = chosen;
  }
}

function showSeats(event) {
  at("name").textContent = event.name;
  document.title = `${event.name}: ${whole(event.remaining)} left`;
  for (const kind of ["confirmed", "held", "remaining", "capacity"]) at(kind).textContent = whole(event[kind]);
  const shown = Math.max(event.capacity, event.held + event.confirmed);
  const share = seats => shown ? 100 * seats / shown : 0;
  at("bar").querySelector(".confirmed").style.width = `${share(event.confirmed)}%`;
  at("bar").querySelector(".held").style.width = `${share(event.held)}%`;
  const seats = `${event.confirmed} confirmed, ${event.held} held and ${event.remaining} remaining`;
  at("bar").setAttribute("aria-label", `${seats}, of ${event.capacity}`);
  // Only the strategy naive, a known bad example, oversells.
  const over = event.held + event.confirmed - event.capacity;
  at("state").textContent = over > 0 ? `Oversold by ${whole(over)}!` : event.remaining === 0 ? "Sold out." : "On sale.";
}

function showAnswers(stats) {
  const now = performance.now();
  const seconds = before ? (now - before.now) / 1000 : 0;
  const rate = kind => seconds ? Math.max(0, (stats[kind].count - before.stats[kind].count) / seconds) : 0;
  for (const kind of kinds) {
    const cells = at(kind).querySelectorAll("td");
    cells[0].textContent = seconds ? whole(rate(kind)) : "–";
    cells[1].textContent = whole(stats[kind].count);
    cells[2].textContent = stats[kind].p99Millis ? `${stats[kind].p99Millis.toPrecision(3)} ms` : "–";
  }
  if (seconds) rates.push({ granted: rate("granted"), refused: rate("tooFew") + rate("busy") + rate("unknown") });
  if (rates.length > SHOWN_SECONDS) rates.shift();
  const top = Math.max(1, ...rates.map(point => Math.max(point.granted, point.refused)));
  const x = i => 600 - (rates.length - 1 - i) * 600 / SHOWN_SECONDS;
  const line = kind => rates.map((point, i) => `${x(i)},${118 - 112 * point[kind] / top}`).join(" ");
  at("granted-line").setAttribute("points", line("granted"));
  at("refused-line").setAttribute("points", line("refused"));
  at("top").textContent = whole(top);
  at("strategy").textContent = stats.strategy;
  before = { now, stats };
}

async function look() {
  try {
    await findEvents();
    showAnswers((await request("stats")).body);
    const id = at("event").value;
    if (!id) at("state").textContent = "No event has been opened yet.";
    else showSeats((await request(`events/${id}`)).body);
  } catch (failure) {
    at("state").textContent = "The service does not answer. Retrying every second.";
  }
  setTimeout(look, 1000);
}

function row(reservation) {
  const item = document.createElement("li");
  const what = Object.assign(document.createElement("span"), { className: "what" });
  const end = (label, path, method) => {
    const button = Object.assign(document.createElement("button"), { textContent: label, type: "button" });
    button.onclick = async () => {
      const { status, body } = await request(path, { method });
      say(status === 200 ? "" : body.detail);
      show({ ...reservation, state: body.state || reservation.state });
    };
    return button;
  };
  const path = `reservations/${reservation.id}`;
  const buttons = [end("Confirm", `${path}/confirm`, "POST"), end("Release", path, "DELETE")];
  const show = current => {
    const until = new Date(current.expiresAt).toLocaleTimeString("en-GB");
    const state = current.state.toLowerCase() + (current.state === "HELD" ? ` until ${until}` : "");
    what.textContent = `${current.quantity} of event ${current.event}, ${state}`;
    buttons.forEach(button => { button.disabled = current.state !== "HELD"; });
  };
  show(reservation);
  item.append(what, ...buttons);
  return item;
}

function say(text) { at("said").textContent = text; }

// A time slot of the waiting room; without one the slot is now.
async function timeSlot(event, key) {
  const options = { method: "POST", headers: { "Idempotency-Key": key } };
  const { status, body } = await request(`events/${event}/admissions`, options);
  if (status !== 200) return { refusal: body.detail || `The service answered ${status}.` };
  if (body.waitMillis > 0) {
    say(`Your time slot begins in ${Math.ceil(body.waitMillis / 1000)} seconds.`);
    await new Promise(done => setTimeout(done, body.waitMillis));
  }
  return { token: body.token };
}

// A request keeps its key until its outcome is known, so pressing the button again does not buy twice.
let pending = null;

at("reserve").onsubmit = async submitted => {
  submitted.preventDefault();
  const event = at("event").value;
  const quantity = Number(at("quantity").value);
  const wanted = `${quantity} of ${event}`;
  if (pending === null || pending.wanted !== wanted) {
    pending = { wanted, key: `page-${Date.now()}-${Math.random().toString(36).slice(2)}` };
  }
  const key = pending.key;
  try {
    const { refusal, token } = await timeSlot(event, key);
    if (refusal) return say(refusal);
    const { status, body } = await request(`events/${event}/reservations`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key, "Admission": token },
      body: JSON.stringify({ quantity }),
    });
    if (status !== 503) pending = null;
    say(status === 201 ? "" : body.detail || `The service answered ${status}.`);
    if (status === 201) at("mine").prepend(row(body));
  } catch (failure) {
    return say("The service did not answer. Press the button again: nothing is bought twice.");
  }
};

look();
