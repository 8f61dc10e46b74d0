"use strict";
(() => {
const doc = document, root = doc.documentElement;
const all = (where, what) => [...where.querySelectorAll(what)];
const make = (tag, props, ...kids) => {
  const e = Object.assign(doc.createElement(tag), props);
  e.append(...kids);
  return e;
};

/* Theme: the system's, #dark or #light in the address, or the button. */
const theme = () => root.dataset.theme ||
  (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light");
const fromHash = () => {
  if (/^#(dark|light)$/.test(location.hash)) root.dataset.theme = location.hash.slice(1);
};
fromHash();
addEventListener("hashchange", fromHash);
doc.querySelector(".mast").append(make("button", {
  type: "button", id: "theme", textContent: "Light or dark",
  onclick: () => { root.dataset.theme = theme() === "dark" ? "light" : "dark"; },
}));

/* Charts: one tab stop each; the pointer or the arrow keys show what a mark says. */
const say = make("div", { className: "say" });
say.setAttribute("role", "status");
doc.body.append(say);
for (const plot of all(doc, ".plot")) {
  /* the same chart for wide and for narrow screens, with the same marks; the first has their words */
  const views = all(plot, "svg").map((svg) => ({ svg, marks: all(svg, ".m") }));
  if (!views.length || !views[0].marks.length) continue;
  const tip = make("div", { className: "tip", hidden: true });
  plot.append(tip);
  plot.setAttribute("aria-label", plot.getAttribute("aria-label") + ". Arrow keys read the values.");
  const texts = views[0].marks.map((m) => {
    const t = m.querySelector("title");
    const text = t ? t.textContent : "";
    if (t) t.remove(); /* else the browser shows its own as well */
    return text;
  });
  const shown = () => views.find((v) => v.svg.getClientRects().length) || views[0];
  let at = -1;
  const show = (i, aloud) => {
    const { marks } = shown();
    for (const m of all(plot, ".on")) m.classList.remove("on");
    at = i;
    tip.hidden = i < 0;
    if (i < 0) return;
    marks[i].classList.add("on");
    tip.textContent = texts[i].replaceAll("; ", "\n");
    if (aloud) say.textContent = texts[i];
    const box = plot.getBoundingClientRect(), m = marks[i].getBoundingClientRect();
    const x = m.left + m.width / 2 - box.left, y = m.top - box.top;
    tip.style.left = Math.max(0, Math.min(x + 12, plot.clientWidth - tip.offsetWidth)) + "px";
    tip.style.top = Math.max(0, y > tip.offsetHeight + 8 ? y - tip.offsetHeight - 8
                                                          : y + m.height + 8) + "px";
  };
  plot.addEventListener("pointerover", (e) => show(shown().marks.indexOf(e.target.closest(".m"))));
  plot.addEventListener("pointerleave", () => show(-1));
  plot.addEventListener("blur", () => show(-1));
  plot.addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (e.key === "Escape") show(-1);
    else if (step && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      show((Math.max(at, step < 0 ? 0 : -1) + step + texts.length) % texts.length, true);
    }
  });
}

/* Tables that sort and filter. Rows beyond the first 500 come as JSON and are made when shown. */
const SHOWN = 500;
const words = (s) => s.toLowerCase().split(/[\s,()=]+/).filter(Boolean);
const number = (s) => (s === "" || s === undefined ? NaN : +s);
const rowOf = (tr) => ({
  tr,
  text: [...tr.cells].map((c) => c.textContent),
  value: [...tr.cells].map((c) => number(c.dataset.v)),
});
const cellsOf = (row, like) => {
  const tr = like.cloneNode(true);
  [...tr.cells].forEach((c, i) => {
    const box = c.querySelector(".tag") || c;
    if (box !== c) box.className = "tag " + row.tag;
    box.textContent = row.text[i];
    if (Number.isNaN(row.value[i])) delete c.dataset.v;
    else c.dataset.v = row.value[i];
  });
  return tr;
};
for (const table of all(doc, "table.sort")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map(rowOf), like = body.rows[0];
  const more = doc.getElementById("rows");
  if (more) {
    for (const [text, value, tag] of JSON.parse(more.textContent))
      rows.push({ text, tag, value: value.map((v) => (v === null ? NaN : v)) });
  }
  if (rows.length < 2) continue;
  for (const r of rows) r.words = words(r.text.join(" "));
  let key = -1, down = false, limit = SHOWN;

  const input = make("input", { type: "search", placeholder: rows[0].words.slice(0, 2).join(" ") });
  const last = heads.length - 1;
  const kinds = [...new Set(rows.map((r) => r.text[last]))].sort();
  const select = make("select", {}, ...["all", ...kinds].map((k) =>
    make("option", { textContent: k, value: k === "all" ? "" : k })));
  const count = make("output");
  const button = make("button", { type: "button", className: "more" });
  const wide = table.closest(".wide");
  wide.before(make("div", { className: "filt" }, make("label", {}, "Filter", input),
    kinds.length > 1 ? make("label", {}, heads[last].textContent, select) : "", count));
  wide.after(button);

  const draw = () => {
    const want = words(input.value);
    const found = rows.filter((r) => (!select.value || r.text[last] === select.value) &&
      want.every((w) => r.words.some((x) => x.startsWith(w))));
    if (key >= 0) {
      found.sort((a, b) => {
        const x = a.value[key], y = b.value[key], nx = Number.isNaN(x), ny = Number.isNaN(y);
        if (nx !== ny) return nx ? 1 : -1; /* unknown last, both ways */
        const c = nx ? a.text[key].localeCompare(b.text[key], "en") : x - y;
        return down ? -c : c;
      });
    }
    const shown = found.slice(0, limit);
    body.replaceChildren(...shown.map((r) => r.tr || (r.tr = cellsOf(r, like))));
    count.textContent = `${found.length} of ${rows.length} rows`;
    button.hidden = shown.length === found.length;
    button.textContent = `Show ${Math.min(SHOWN, found.length - shown.length)} more rows`;
  };
  heads.forEach((th, i) => {
    const b = make("button", { type: "button", textContent: th.textContent });
    b.onclick = () => {
      down = key === i ? !down : th.classList.contains("n");
      key = i;
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      draw();
    };
    th.replaceChildren(b);
  });
  input.oninput = select.onchange = () => { limit = SHOWN; draw(); };
  button.onclick = () => { limit += SHOWN; draw(); };
  draw();
}

addEventListener("beforeprint", () => all(doc, "details").forEach((d) => { d.open = true; }));
})();
