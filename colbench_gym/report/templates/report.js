"use strict";
// All text goes in as text nodes: nothing that an agent or a human wrote is read as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const search = byId("search"), ended = byId("ended"), order = byId("order"), list = byId("list"), shown = byId("shown");

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// What is folded is made when it is unfolded first: long texts take the browser seconds.
function folded(title, content) {
  const fold = make("details", {}, make("summary", {}, title));
  fold.addEventListener("toggle", () => fold.open && fold.children.length < 2 && fold.append(content()));
  return fold;
}

const LONG = 4000;
const code = (text) =>
  text.length <= LONG ? [make("pre", { class: "code" }, text)] : [folded(`${text.length.toLocaleString("en")} characters of code`, () => make("pre", { class: "code" }, text))];
function said(text) {
  if (text.length <= LONG) return [make("p", { class: "said" }, text)];
  const rest = text.slice(LONG);
  return [
    make("p", { class: "said" }, text.slice(0, LONG)),
    folded(`${rest.length.toLocaleString("en")} more characters`, () => make("p", { class: "said" }, rest)),
  ];
}

const percent = (score) => (score === null ? "no grade" : `${(100 * score).toFixed(0)} %`);

// What stands on one line of the list: a task's repeat, with the dialogue of each run.
// Its key is what an address ends in: the same in every report about the task, unless two tasks have one id.
const places = new Map();
for (const dialogue of data.dialogues) {
  const task = data.tasks[dialogue.task];
  let key = `${task.id}/${dialogue.repeat}`;
  while (places.has(key) && places.get(key).task !== task) key += "+";
  if (!places.has(key)) places.set(key, { key, task, repeat: dialogue.repeat, dialogues: [] });
  places.get(key).dialogues.push(dialogue);
}
const lines = [...places.values()];
const scores = (line) => line.dialogues.map((dialogue) => dialogue.score ?? -1);
const spread = (line) => Math.max(...scores(line)) - Math.min(...scores(line));
const longest = (line) => Math.max(...line.dialogues.map((dialogue) => dialogue.asked));
const orders = {
  task: null,
  low: (a, b) => Math.min(...scores(a)) - Math.min(...scores(b)),
  long: (a, b) => longest(b) - longest(a),
  flips: (a, b) => spread(b) - spread(a),
};
const endings = {};
for (const dialogue of data.dialogues) {
  endings[dialogue.outcome] = (line) => line.dialogues.some((other) => other.outcome === dialogue.outcome);
}
if (data.tasks.some((task) => task.track === "backend")) {
  endings["with success"] = (line) => line.dialogues.some((dialogue) => dialogue.success);
  endings["without success"] = (line) => line.dialogues.some((dialogue) => !dialogue.success);
}
if (data.runs.length > 1) endings["differently"] = (line) => spread(line) > 0;

// Of each comparison at the top: the tasks on which one of the runs is better, as links and as a filter.
const mean = (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
for (const verdict of document.querySelectorAll(".verdict")) {
  const sides = [verdict.dataset.a, verdict.dataset.b].map((name) => data.runs.indexOf(name));
  const scoresOf = new Map();
  for (const { task, run, score } of data.dialogues) {
    if (score === null || !sides.includes(run)) continue;
    if (!scoresOf.has(task)) scoresOf.set(task, [[], []]);
    scoresOf.get(task)[sides.indexOf(run)].push(score);
  }
  const means = [...scoresOf].filter(([, of]) => of.every((scores) => scores.length)).map(([task, of]) => [data.tasks[task], mean(of[0]) - mean(of[1])]);
  for (const [side, sign] of [[0, 1], [1, -1]]) {
    const better = new Set(means.filter(([, difference]) => sign * difference > 1e-9).map(([task]) => task));
    if (!better.size) continue;
    const name = `${data.runs[sides[side]]} better than ${data.runs[sides[1 - side]]}`;
    endings[name] = (line) => better.has(line.task);
    const links = lines.filter((line) => better.has(line.task) && !line.repeat);
    verdict.append(
      make("p", { class: "quiet" }, `${data.runs[sides[side]]} is better on`),
      make("div", { class: "flips", tabindex: "0", role: "group", "aria-label": name },
        ...links.slice(0, 60).map((line) => make("a", { href: `#${encodeURIComponent(line.key)}` }, line.task.id)),
        links.length > 60 ? make("span", {}, `and ${links.length - 60} more`) : null),
    );
  }
}
for (const name of Object.keys(endings)) ended.append(make("option", { value: name }, name.replaceAll("_", " ")));
if (data.runs.length < 2) order.querySelector("[value=flips]").remove();
else order.value = "flips";

function words(line) {
  line.words ??= line.dialogues
    .flatMap((dialogue) => [...dialogue.turns.map((turn) => turn.text), dialogue.answer])
    .concat(line.task.id)
    .join("\n")
    .toLowerCase();
  return line.words;
}

function mark(dialogue) {
  const text = `${data.runs.length > 1 ? `${data.runs[dialogue.run]}: ` : ""}${percent(dialogue.score)}`;
  if (data.tasks[dialogue.task].track === "frontend") return make("span", {}, text);
  const { success } = dialogue;
  return make("span", { class: success ? "good" : "bad" }, `${success ? "✓" : "✗"} ${text}`);
}

function cost(dialogue) {
  const { asked, seconds, tokens } = dialogue;
  const parts = [`${asked} ${asked === 1 ? "turn" : "turns"}`];
  if (seconds !== null) parts.push(`${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`);
  if (tokens !== null) parts.push(`${tokens.toLocaleString("en")} tokens`);
  return make("span", { class: "quiet" }, parts.join(", "));
}

// What an answer says in a line: of a program what follows its head, of a page its first words.
function gist(answer) {
  const text = answer.slice(0, 5000);
  const plain = /<(html|body|div|!doctype)/i.test(text) ? text.replace(/<(style|head|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ") : text;
  const parts = plain.split("\n").map((part) => part.trim()).filter((part) => part && !part.startsWith("```"));
  if (parts.length > 1 && /^def\b.*:$/.test(parts[0])) parts.shift();
  return parts.join("  ").slice(0, 160) || "no answer";
}

const nameOf = (line) => (line.repeat ? `${line.task.id}, repeat ${line.repeat}` : line.task.id);
// Groups that tell some of the tasks apart.
const telling = new Set(
  data.tasks.flatMap((task) => Object.keys(task.groups)).filter((about) => new Set(data.tasks.map((task) => task.groups[about])).size > 1),
);
let current = [];
function fill() {
  const wanted = search.value.trim().toLowerCase();
  current = lines.filter(
    (line) => (!ended.value || endings[ended.value](line)) && (!wanted || words(line).includes(wanted)),
  );
  if (orders[order.value]) current = [...current].sort(orders[order.value]);
  list.replaceChildren(
    ...current.map((line) => {
      const groups = Object.entries(line.task.groups).filter(([about]) => telling.has(about));
      const told = groups.map(([about, group]) => ` · ${about === "family" ? group : `${about} ${group}`}`);
      line.link = make(
        "a",
        { href: `#${encodeURIComponent(line.key)}` },
        make("div", { class: "request" }, line.task.request),
        make("div", { class: "quiet" }, make("span", { class: "name" }, nameOf(line)), ...told),
        ...line.dialogues.flatMap((dialogue) => [
          make("div", { class: "marks" }, mark(dialogue), cost(dialogue)),
          make("code", {}, gist(dialogue.answer)),
        ]),
      );
      return make("li", {}, line.link);
    }),
  );
  byId("count").textContent = `${current.length} of ${lines.length}`;
  show();
}

// Boxes with numbers over a picture, in shares of it.
function marked(image, marks) {
  const boxes = (marks ?? []).map(([number, x, y, width, height]) => {
    const box = make("span", { class: "mark", "aria-hidden": "true" }, make("b", {}, String(number)));
    for (const [side, share] of Object.entries({ left: x, top: y, width, height })) box.style[side] = `${100 * share}%`;
    return box;
  });
  return make("span", { class: "marked" }, image, ...boxes);
}

function picture(key, title, marks) {
  const drawn = key && data.pictures[key];
  if (!drawn) return null;
  if (!drawn.src && !drawn.full) return make("p", { class: "quiet" }, `${title}: ${drawn.status.replaceAll("_", " ")}`);
  const image = drawn.src
    ? marked(make("img", { src: drawn.src, alt: `${title}, as a picture`, loading: "lazy" }), marks)
    : "whole picture";
  const link = make("a", { href: drawn.full, target: "_blank", rel: "noopener" }, image);
  return make("figure", {}, make("figcaption", {}, title), link);
}

function exchange(turn, number, task) {
  return make(
    "div",
    { class: `turn ${turn.seat}` },
    make("div", { class: "who" }, turn.seat === "agent" ? `Agent, turn ${number}` : "Human"),
    ...said(turn.text),
    turn.marked
      ? make("p", { class: "quiet" }, `Marked above: ${turn.marked.map((name, at) => `${at + 1} ${name}`).join(", ")}`)
      : null,
    turn.page
      ? make(
          "div",
          { class: "pictures" },
          picture(turn.page, "Draft", turn.marks?.page),
          picture(task.page, "Wanted page", turn.marks?.wanted),
        )
      : null,
    ...(turn.code ? code(turn.code) : []),
    turn.html ? folded("HTML of the page", () => make("pre", {}, turn.html)) : null,
    ...(turn.after ? said(turn.after) : []),
    turn.output ? folded("Whole message, with what the human did not see", () => make("pre", {}, turn.output)) : null,
  );
}

function difference(rows) {
  const body = rows.map(([kind, left, right]) =>
    make(
      "tr",
      {},
      make("td", { class: kind === "=" || kind === "+" ? "" : "lost" }, left),
      make("td", { class: kind === "=" || kind === "-" ? "" : "new" }, right),
    ),
  );
  const head = make("tr", {}, make("th", { scope: "col" }, "Answer"), make("th", { scope: "col" }, "Reference"));
  return make("table", { class: "diff" }, make("thead", {}, head), make("tbody", {}, ...body));
}

function tests(task, dialogue) {
  const rows = task.calls.map(([name, call], place) => {
    const outcome = dialogue.tests[place] ?? "not run";
    const good = outcome === "passed";
    return make(
      "tr",
      {},
      make("td", { class: good ? "good" : "bad" }, `${good ? "✓" : "✗"} ${outcome.replaceAll("_", " ")}`),
      make("td", {}, make("code", { title: name }, call)),
    );
  });
  return make("table", { class: "tests" }, make("tbody", {}, ...rows));
}

function conversation(line, dialogue) {
  let number = 0;
  const { task } = line;
  const section = make(
    "section",
    {},
    make("h3", {}, data.runs[dialogue.run]),
    make("div", { class: "marks" }, mark(dialogue), make("span", { class: "quiet" }, dialogue.outcome.replaceAll("_", " "))),
    dialogue.error ? make("p", { class: "bad" }, dialogue.error) : null,
    ...dialogue.turns.map((turn) => exchange(turn, turn.seat === "agent" ? (number += 1) : number, task)),
  );
  if (task.track === "frontend") {
    section.append(
      make("div", { class: "pictures" }, picture(dialogue.page, "Final page"), picture(task.page, "Wanted page")),
    );
  } else {
    const passed = dialogue.tests.filter((outcome) => outcome === "passed").length;
    section.append(folded(`Tests: ${passed} of ${task.calls.length} passed`, () => tests(task, dialogue)));
  }
  if (dialogue.diff) section.append(folded("Answer beside the reference", () => difference(dialogue.diff)));
  else {
    section.append(folded("Answer", () => make("pre", {}, dialogue.answer)), folded("Reference", () => make("pre", {}, task.reference)));
  }
  return section;
}

function show() {
  const key = decodeURIComponent(location.hash.slice(1));
  const line = places.get(key) ?? current[0];
  for (const link of list.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  shown.replaceChildren();
  if (!line) return;
  line.link?.setAttribute("aria-current", "true");
  shown.append(
    make("h3", {}, nameOf(line)),
    make("a", { class: "quiet", href: `#${encodeURIComponent(line.key)}` }, "Link to this dialogue"),
    make("div", { class: "beside" }, ...line.dialogues.map((dialogue) => conversation(line, dialogue))),
  );
}

function step(by) {
  const here = current.findIndex((line) => line.link?.hasAttribute("aria-current"));
  const next = current[Math.min(current.length - 1, Math.max(0, here + by))];
  if (!next) return;
  location.hash = encodeURIComponent(next.key);
  next.link.scrollIntoView({ block: "nearest" });
}

// Parts of the report as tabs; without a script they stand below each other.
const panels = [...document.querySelectorAll(".panel")];
const bar = document.querySelector("[role=tablist]");
function open(chosen) {
  panels.forEach((panel, place) => {
    panel.hidden = panel !== chosen;
    const selected = String(panel === chosen);
    bar.children[place].setAttribute("aria-selected", selected);
    bar.children[place].tabIndex = panel === chosen ? 0 : -1;
  });
}
panels.forEach((panel, place) => {
  panel.id = `panel-${place}`;
  panel.setAttribute("role", "tabpanel");
  const tab = make("button", { role: "tab", type: "button", "aria-controls": panel.id }, panel.dataset.title);
  tab.addEventListener("click", () => open(panel));
  tab.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = (place + by + panels.length) % panels.length;
    open(panels[next]);
    bar.children[next].focus();
  });
  bar.append(tab);
});
bar.hidden = false;
open(panels[0]);

addEventListener("hashchange", () => {
  open(panels[0]);
  show();
});
search.addEventListener("input", fill);
ended.addEventListener("change", fill);
order.addEventListener("change", fill);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "o") for (const fold of shown.querySelectorAll("details")) fold.open = !fold.open;
  else if (event.key === "/") search.focus(), event.preventDefault();
});
fill();
