// Shows what the server says as text and pictures, never as markup, and sends what the person writes.
"use strict";

const at = (id) => document.getElementById(id);
let news = { revision: -1, shown: [], asked: null };

function box(shown) {
  const card = document.createElement("article");
  card.className = shown.own ? "box own" : "box";
  const title = document.createElement("h2");
  title.textContent = shown.title;
  card.append(title);
  if (shown.picture) {
    const picture = document.createElement("img");
    picture.src = shown.picture;
    picture.alt = shown.title;
    const frame = document.createElement("div");
    frame.className = "frame";
    frame.tabIndex = 0;
    frame.append(picture);
    card.append(frame);
  }
  if (shown.text) {
    const text = document.createElement(shown.code ? "pre" : "p");
    text.textContent = shown.text;
    if (shown.code) text.tabIndex = 0;
    card.append(text);
  }
  return card;
}

function show() {
  document.body.dataset.revision = news.revision;
  const open = news.shown.filter((shown) => !shown.private);
  const hidden = news.shown.filter((shown) => shown.private);
  at("dialogue").replaceChildren(...open.map(box));
  at("private").replaceChildren(...hidden.map(box));
  at("private").hidden = hidden.length === 0;
  const asked = news.asked !== null;
  at("status").textContent = news.over ? "The end. You may close this page." : asked ? "It is your turn." : "Please wait.";
  at("form").hidden = news.over;
  at("label").textContent = asked && !news.button ? news.asked[0].toUpperCase() + news.asked.slice(1) : "";
  at("message").hidden = asked && news.button;
  at("message").disabled = !asked;
  at("send").disabled = !asked;
  at("send").textContent = asked && news.button ? news.asked : "Send";
  at("final-row").hidden = !news.marker || !asked;
  at("look").hidden = !news.preview || !asked;
  count();
  if (asked) {
    (news.button ? at("send") : at("message")).focus({ preventScroll: true });
    at("dialogue").lastElementChild?.scrollIntoView({ block: "end" });
  }
}

function count() {
  const length = at("message").value.length;
  at("count").textContent = length && !at("message").hidden ? `${length} characters, Ctrl+Enter sends` : "";
}

function written() {
  if (news.button) return "seen";
  const text = at("message").value;
  return at("final").checked && !text.includes(news.marker) ? `${news.marker}\n${text}` : text;
}

async function post(path, text) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text, revision: news.revision }),
  });
  const said = await response.json();
  if (!response.ok) throw new Error(said.error);
  return said;
}

async function send() {
  if (news.asked === null) return;
  at("error").textContent = "";
  at("send").disabled = true;
  try {
    await post("api/say", written());
    at("message").value = "";
    at("final").checked = false;
  } catch (error) {
    at("error").textContent = error.message;
    at("send").disabled = false;
  }
}

async function look() {
  at("error").textContent = "";
  try {
    at("preview-box").replaceChildren(box(await post("api/preview", at("message").value)));
    at("preview").showModal();
  } catch (error) {
    at("error").textContent = error.message;
  }
}

async function follow() {
  while (!news.over) {
    try {
      const response = await fetch(`api/state?since=${news.revision}`);
      const next = await response.json();
      if (next.revision !== news.revision) {
        news = next;
        show();
      }
    } catch {
      at("status").textContent = "The program has ended, or does not answer.";
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

at("form").addEventListener("submit", (event) => { event.preventDefault(); send(); });
at("look").addEventListener("click", look);
at("message").addEventListener("input", count);
at("message").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
});
follow();
