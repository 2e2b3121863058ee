// Draws waveforms from the data that stand beside them: any steps, at any width, with a
// cursor. The measures are those of `drawing.rs`, which draws a part for readers without
// scripts.
"use strict";
const respinWaves = (() => {
  const LANE = 26, HEAD = 34, LETTER = 7.4;
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const escaped = (text) => String(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (one) => "\\u{" + one.codePointAt(0).toString(16) + "}")
    .replace(/[&<>"]/g, (one) => escapes[one]);

  // The number that binary digits stand for, as tables of texts show it unless asked.
  function shown(lane, value, radix) {
    if (value === null || value === undefined) return "?";
    if (lane.f !== "number") return value;
    if (radix === "binary" || (radix === "auto" && lane.w <= 4)) return value;
    const number = BigInt("0b" + value);
    if (radix === "decimal" || (radix === "auto" && lane.w <= 32)) return number.toString();
    return "0x" + number.toString(16);
  }

  // The last change that is not after a step.
  function changeAt(lane, step) {
    let low = 0, high = lane.c.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.c[middle][0] <= step) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  const valueAt = (lane, step) => {
    const at = changeAt(lane, step);
    return at < 0 ? null : lane.c[at][1];
  };

  function bitPath(lane, first, end, unit, top) {
    const high = top + 5, middle = top + LANE / 2, low = top + LANE - 5;
    let path = "", others = "";
    for (let at = Math.max(0, changeAt(lane, first)); at < lane.c.length && lane.c[at][0] < end; at++) {
      const from = Math.max(lane.c[at][0], first), value = lane.c[at][1];
      const to = Math.min(at + 1 < lane.c.length ? lane.c[at + 1][0] : end, end);
      if (from >= to) continue;
      const x = (from - first) * unit, x2 = (to - first) * unit;
      const y = value === null ? middle : value === "1" ? high : low;
      if (value !== "0") {
        const kind = value === null ? "any" : "one";
        others += `<rect class="${kind}" x="${x}" y="${high}" width="${x2 - x}" height="${low - high}"/>`;
      }
      path += `${path ? "L" : "M"}${x} ${y}H${x2}`;
    }
    return others + `<path class="line" d="${path}"/>`;
  }

  function wordPath(lane, first, end, unit, top, radix) {
    const high = top + 4, middle = top + LANE / 2, low = top + LANE - 4;
    let text = "";
    for (let at = Math.max(0, changeAt(lane, first)); at < lane.c.length && lane.c[at][0] < end; at++) {
      const from = Math.max(lane.c[at][0], first), value = lane.c[at][1];
      const to = Math.min(at + 1 < lane.c.length ? lane.c[at + 1][0] : end, end);
      if (from >= to) continue;
      const x = (from - first) * unit, x2 = (to - first) * unit, tip = Math.min(4, (x2 - x) / 2);
      text += `<path class="box${value === null ? " any" : ""}" d="M${x} ${middle}L${x + tip} ${high}H${x2 - tip}L${x2} ${middle}L${x2 - tip} ${low}H${x + tip}Z"/>`;
      const whole = shown(lane, value, radix), most = Math.floor((x2 - x - 10) / LETTER);
      if (most >= 1) {
        const cut = whole.length > most ? whole.slice(0, most - 1) + "…" : whole;
        text += `<text class="value" x="${(x + x2) / 2}" y="${middle + 4}"><title>${escaped(whole)}</title>${escaped(cut)}</text>`;
      }
    }
    return text;
  }

  function head(wave, first, end, unit, height, cursor) {
    let text = "";
    const left = (step) => (step - first) * unit;
    if (wave.loop) {
      const from = Math.max(wave.loop[0], first), to = Math.min(wave.loop[1] + 1, end);
      if (from < to) text += `<rect class="loop" x="${left(from)}" y="0" width="${(to - from) * unit}" height="${height}"/><text class="loop-label" x="${left(from) + 4}" y="12">↻ repeats for ever</text>`;
    }
    if (wave.mark && wave.mark[0] >= first && wave.mark[0] < end) {
      const x = left(wave.mark[0]), late = x > 130;
      const kind = wave.mark[1].startsWith("✗") ? "mark" : "now";
      text += `<rect class="${kind}" x="${x}" y="0" width="${unit}" height="${height}"/><text class="${kind}-label" x="${late ? x + unit : x + 3}" y="12" text-anchor="${late ? "end" : "start"}">${escaped(wave.mark[1])}</text>`;
    }
    const label = Math.max(1, Math.ceil((String(end).length * 8 + 8) / unit));
    for (let step = first; step < end; step++) {
      if (step % label && unit < 6) continue;
      text += `<line class="grid" x1="${left(step)}" x2="${left(step)}" y1="${HEAD - 4}" y2="${height}"/>`;
      if (step % label === 0) text += `<text class="step" x="${left(step) + unit / 2}" y="28">${step}</text>`;
    }
    if (cursor >= first && cursor < end) text += `<rect class="cursor-band" x="${left(cursor)}" y="${HEAD - 16}" width="${unit}" height="${height}"/>`;
    return text;
  }

  const show = (one, is) => { one.style.display = is ? "" : "none"; };
  const tag = (lane) => lane.v || lane.k;
  const classes = (lane) => lane.k + (lane.v ? " " + lane.v : "");

  // A waveform that can be moved about; `update` shows other data in the same place.
  function live(figure, wave) {
    figure.classList.add("live");
    const drawing = figure.querySelector(".drawing");
    const state = { first: 0, unit: 40, cursor: 0, all: false, radix: "auto", filter: "" };
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.innerHTML =
      `<button type="button" data-do="start" title="First step (Home)" aria-label="First step">⇤</button>` +
      `<button type="button" data-do="left" title="Earlier (Page Up)" aria-label="Earlier">◂</button>` +
      `<button type="button" data-do="mark" title="The step that matters">✗ step</button>` +
      `<button type="button" data-do="right" title="Later (Page Down)" aria-label="Later">▸</button>` +
      `<button type="button" data-do="end" title="Last step (End)" aria-label="Last step">⇥</button>` +
      `<button type="button" data-do="out" title="Narrower steps (-)" aria-label="Zoom out">−</button>` +
      `<button type="button" data-do="in" title="Wider steps (+)" aria-label="Zoom in">+</button>` +
      `<label class="numbers">numbers <select><option value="auto">as usual</option><option value="hex">hexadecimal</option><option value="decimal">decimal</option><option value="binary">binary</option></select></label>` +
      `<label class="all"><input type="checkbox"> <span></span></label>` +
      `<label class="find">find <input type="search" size="12"></label>` +
      `<span class="where-now" role="status"></span>`;
    drawing.before(tools);
    const body = document.createElement("div");
    body.className = "body";
    drawing.replaceWith(body);
    body.append(drawing);
    const names = drawing.querySelector(".names"), lanes = drawing.querySelector(".lanes");
    lanes.setAttribute("aria-label", "Waveform: arrow keys move the cursor, plus and minus zoom");
    body.tabIndex = 0;
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", "Signals");
    const because = document.createElement("p");
    because.className = "because";
    body.after(because);
    const rest = figure.querySelector(".rest");
    if (rest) rest.remove();

    const visible = () => wave.lanes.filter((lane) =>
      (state.all || lane.r || state.filter || !wave.lanes.some((one) => one.r)) &&
      lane.n.toLowerCase().includes(state.filter));
    const room = () => Math.max(120, lanes.clientWidth || 600);
    const most = () => Math.max(1, Math.floor(room() / state.unit));
    const last = () => Math.max(0, wave.steps - most());
    const clamp = () => { state.first = Math.max(0, Math.min(state.first, last())); };
    function centre(step) { state.first = step - Math.floor(most() * 0.8); clamp(); }
    function focus() { return wave.mark ? wave.mark[0] : wave.loop ? wave.loop[0] : wave.steps - 1; }

    function draw() {
      const rows = visible(), end = Math.min(wave.steps, state.first + most());
      const height = HEAD + rows.length * LANE + 4;
      const width = Math.max(1, (end - state.first) * state.unit) + 130;
      let text = head(wave, state.first, end, state.unit, height, state.cursor);
      rows.forEach((lane, row) => {
        const top = HEAD + row * LANE;
        const inner = lane.f === "bit" ? bitPath(lane, state.first, end, state.unit, top)
          : wordPath(lane, state.first, end, state.unit, top, state.radix);
        text += `<g class="${escaped(classes(lane))}">${inner}</g>`;
      });
      lanes.innerHTML = `<svg role="img" width="${width}" height="${height}" aria-label="Steps ${state.first} to ${end - 1}">${text}</svg>`;
      const at = state.cursor;
      names.innerHTML = `<ol class="lane-names">` + rows.map((lane) =>
        `<li class="${escaped(classes(lane))}"><span class="name" title="${escaped(lane.n)}">${escaped(lane.n)}</span> ` +
        `<span class="at">${escaped(shown(lane, valueAt(lane, at), state.radix))}</span> ` +
        `<span class="tag">${escaped(tag(lane))}</span></li>`).join("") + `</ol>`;
      tools.querySelector(".where-now").textContent =
        `steps ${state.first}–${end - 1} of ${wave.steps}` + `, values at ${at}`;
      const reasons = (wave.reasons && wave.reasons[at]) || [];
      because.hidden = !reasons.length;
      because.textContent = `Step ${at}: ${reasons.join("; ").replaceAll("`", "")}.`;
      const hidden = wave.lanes.filter((lane) => !lane.r).length;
      tools.querySelector(".all span").textContent = `all ${wave.lanes.length} signals`;
      const fits = wave.steps <= most() && state.unit >= 34;
      for (const name of ["start", "left", "right", "end"]) show(tools.querySelector(`[data-do=${name}]`), !fits);
      show(tools.querySelector("[data-do=mark]"), (wave.mark || wave.loop) && !fits);
      show(tools.querySelector(".numbers"), wave.lanes.some((lane) => lane.f === "number"));
      show(tools.querySelector(".find"), wave.lanes.length > 8);
      show(tools.querySelector(".all"), hidden > 0 && hidden < wave.lanes.length);
      tools.querySelector('[data-do="mark"]').textContent = wave.mark ? `${wave.mark[1][0]} step ${wave.mark[0]}` : "↻ loop";
    }
    const actions = {
      start: () => { state.first = 0; }, end: () => { state.first = last(); },
      left: () => { state.first -= Math.max(1, most() >> 1); }, right: () => { state.first += Math.max(1, most() >> 1); },
      mark: () => { centre(focus()); },
      in: () => zoom(1.5), out: () => zoom(1 / 1.5),
    };
    function zoom(factor) {
      const middle = state.cursor;
      const share = (middle - state.first) / most();
      state.unit = Math.max(room() / wave.steps / 2, Math.min(220, state.unit * factor));
      state.unit = Math.max(0.05, state.unit);
      state.first = Math.round(middle - share * most());
    }
    const perform = (name) => { actions[name](); clamp(); draw(); };
    function setCursor(step) {
      state.cursor = Math.max(0, Math.min(wave.steps - 1, step));
      if (state.cursor < state.first) state.first = state.cursor;
      if (state.cursor >= state.first + most()) state.first = state.cursor - most() + 1;
      clamp(); draw();
    }
    tools.addEventListener("click", (event) => {
      const name = event.target.dataset && event.target.dataset.do;
      if (name) perform(name);
    });
    tools.querySelector("select").addEventListener("change", (event) => { state.radix = event.target.value; draw(); });
    tools.querySelector("[type=checkbox]").addEventListener("change", (event) => { state.all = event.target.checked; draw(); });
    tools.querySelector("[type=search]").addEventListener("input", (event) => { state.filter = event.target.value.toLowerCase(); draw(); });
    lanes.addEventListener("click", (event) => {
      const box = lanes.getBoundingClientRect();
      setCursor(state.first + Math.floor((event.clientX - box.left) / state.unit));
    });
    lanes.addEventListener("keydown", (event) => {
      const at = state.cursor;
      const keys = { ArrowLeft: () => setCursor(at - 1), ArrowRight: () => setCursor(at + 1), PageUp: () => perform("left"),
        PageDown: () => perform("right"), Home: () => setCursor(0), End: () => setCursor(wave.steps - 1),
        "+": () => perform("in"), "-": () => perform("out") };
      if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
    });
    // Sideways with the wheel, as in other viewers; up and down stays the page's.
    lanes.addEventListener("wheel", (event) => {
      const by = event.shiftKey ? event.deltaY : event.deltaX;
      if (!by || wave.steps <= most()) return;
      state.first += Math.sign(by) * Math.max(1, most() >> 3);
      clamp(); draw(); event.preventDefault();
    }, { passive: false });
    // Wide enough for the values near the step that matters.
    function fit() {
      const from = Math.max(0, focus() - 12);
      let longest = String(wave.steps).length;
      for (const lane of visible()) {
        if (lane.f === "bit") continue;
        for (let at = Math.max(0, changeAt(lane, from)); at < lane.c.length && lane.c[at][0] <= focus() + 4; at++) {
          const to = at + 1 < lane.c.length ? lane.c[at + 1][0] : wave.steps;
          longest = Math.max(longest, shown(lane, lane.c[at][1], state.radix).length / Math.max(1, to - Math.max(from, lane.c[at][0])));
        }
      }
      state.unit = Math.max(34, Math.min(150, longest * 8 + 14));
      if (wave.steps * state.unit < room()) state.unit = Math.min(90, room() / wave.steps);
      centre(focus());
    }
    let width = 0;
    new ResizeObserver(() => {
      if (lanes.clientWidth && lanes.clientWidth !== width) {
        width = lanes.clientWidth;
        if (state.cursor >= state.first + most()) state.first = state.cursor - most() + 1;
        clamp(); draw();
      }
    }).observe(body);
    // The values of the step that matters are read first.
    // How much room there is shows only when the names have been drawn.
    function begin() { state.cursor = Math.max(0, focus()); fit(); draw(); fit(); draw(); }
    begin();
    return { update(other) { wave = other; begin(); } };
  }

  // Data are read and drawn when they come into sight: a page can have many.
  function start() {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        const data = entry.target.querySelector("script.data");
        if (data) live(entry.target, JSON.parse(data.textContent));
      }
    }, { rootMargin: "200px" });
    document.querySelectorAll("figure.wave").forEach((figure) => seen.observe(figure));
  }
  return { live, start };
})();
