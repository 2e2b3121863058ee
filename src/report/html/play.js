// A play in the browser. The moves are this page's, and are kept in its address; the server
// is told all of them each time, and says what has become of the play.
"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  let moves = [], position = null, waves = null, busy = false;
  try {
    const kept = JSON.parse(decodeURIComponent(location.hash.slice(1)) || "[]");
    if (Array.isArray(kept) && kept.every((one) => typeof one === "string")) moves = kept;
  } catch { moves = []; }

  async function ask(wanted) {
    if (busy) return;
    busy = true;
    let answer;
    try {
      const options = { method: "POST", body: JSON.stringify({ moves: wanted, marks: element("marks").checked }) };
      answer = await fetch("play", options);
    } catch { answer = null; }
    busy = false;
    if (!answer || !answer.ok) {
      element("problem").textContent = answer
        ? "The game did not take this." : "The game has ended: its server does not answer.";
      return;
    }
    position = await answer.json();
    moves = position.moves;
    history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(moves)));
    draw();
  }

  function make(kind, properties = {}, ...children) {
    const made = Object.assign(document.createElement(kind), properties);
    made.append(...children);
    return made;
  }

  // What stands between backticks is code.
  const sentence = (text) => text.split("`").map((part, index) => index % 2 ? make("code", { textContent: part }) : part);

  // What is chosen before the user chooses: what is forced, else what it was, else what does
  // not lose.
  function preselected(choice) {
    if (choice.forced) return choice.forced.value;
    const lane = position.wave.lanes.find((one) => one.n === choice.name);
    const known = lane ? lane.c.filter((one) => one[1] !== null) : [];
    const last = known.length ? known[known.length - 1][1] : null;
    const before = last === "1" ? "true" : last === "0" ? "false" : last;
    const good = choice.values.filter((value) => !choice.losing.includes(value));
    for (const value of [last, before]) if (good.includes(value)) return value;
    return good[0] ?? choice.values[0];
  }

  function drawChoice(choice) {
    const field = make("fieldset", {}, make("legend", { textContent: choice.name }));
    const chosen = preselected(choice);
    if (choice.is_cut || choice.values.length > 10) {
      const select = make("select", { name: choice.name });
      select.setAttribute("aria-label", choice.name);
      for (const value of choice.values) {
        const loses = choice.losing.includes(value);
        select.append(make("option", { value, textContent: loses ? value + " (loses)" : value, selected: value === chosen }));
      }
      if (choice.is_cut) {
        const typed = make("input", { type: "text", name: choice.name, value: chosen, size: 8 });
        typed.setAttribute("aria-label", choice.name);
        field.append(typed);
      } else field.append(select);
    } else {
      const segments = make("span", { className: "segments" });
      for (const value of choice.values) {
        const loses = choice.losing.includes(value);
        const input = make("input", { type: "radio", name: choice.name, value, checked: value === chosen });
        const label = make("label", { className: loses ? "losing" : "", title: loses ? "loses at once" : "" }, input, value);
        segments.append(label);
      }
      field.append(segments);
    }
    if (choice.forced) {
      const names = choice.forced.because.join(", ");
      field.append(make("span", { className: "forced", textContent: names ? `forced by ${names}` : "forced" }));
    }
    return field;
  }

  function draw() {
    const { view, is_over } = position;
    element("greeting").replaceChildren(...sentence(position.greeting));
    document.title = position.greeting.replaceAll("`", "");
    element("step").textContent = is_over ? "The play is over" : `Step ${view.step}: your ${position.asked}`;
    const shown = element("shown");
    shown.replaceChildren();
    if (view.shown.length && !is_over) {
      const other = position.asked === "outputs" ? "The environment has set" : "The system has set";
      shown.append(make("p", { className: "note", textContent: other }),
        make("ul", { className: "shown-values" }, ...view.shown.map(([name, value]) => make("li", { textContent: `${name} = ${value}` }))));
    }
    element("hint").hidden = !(view.hint && (element("hints").checked || view.hint.startsWith("What loses")));
    element("hint").replaceChildren(...sentence(view.hint || ""));
    element("choices").replaceChildren(...view.choices.map(drawChoice));
    element("problem").replaceChildren(...sentence(position.problem || ""));
    element("go").disabled = is_over;
    element("undo").disabled = element("again").disabled = !moves.length;
    element("save-moves").disabled = element("save-vcd").disabled = !moves.length;
    const log = position.said.map((lines, index) => {
      const item = make("li");
      lines.forEach((line, at) => {
        const lost = /You have lost/.test(line);
        item.append(make("div", { className: lost ? "lost" : "" }, ...sentence(line.trim().replace(/^step \d+: /, ""))));
        if (at === 0 && index < moves.length - 1) {
          const back = make("button", { type: "button", textContent: `back to step ${index}` });
          back.addEventListener("click", () => ask(moves.slice(0, index + 1)));
          item.firstChild.append(back);
        }
      });
      return item;
    });
    element("log").replaceChildren(...log);
    element("log").scrollTop = element("log").scrollHeight;
    element("wave").hidden = position.wave.steps === 0;
    if (position.wave.steps > 0) {
      if (waves) waves.update(position.wave);
      else waves = respinWaves.live(element("wave"), position.wave);
    }
  }

  function download(name, text) {
    const link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  element("move").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!position || position.is_over) return;
    const settings = [...new FormData(event.target)].map(([name, value]) => `${name}=${String(value).trim()}`);
    ask([...moves, settings.join(" ")]);
  });
  element("undo").addEventListener("click", () => ask(moves.slice(0, -1)));
  element("again").addEventListener("click", () => ask([]));
  element("marks").addEventListener("change", () => ask(moves));
  element("hints").addEventListener("change", () => draw());
  element("save-moves").addEventListener("click", () => download("moves.txt", moves.join("\n") + "\n"));
  element("save-vcd").addEventListener("click", async () => {
    const answer = await fetch("vcd", { method: "POST", body: JSON.stringify({ moves }) });
    if (answer.ok) download("play.vcd", await answer.text());
  });
  ask(moves);
})();
