"use strict";
(() => {
  const first = JSON.parse(document.getElementById("lessons").textContent), main = document.querySelector("main");
  const editions = first.other ? [first, first.other] : [first]; // the same lessons in two languages, marked alike
  let data = first, t = data.texts;
  const at = { lesson: -1, place: 0 };
  const key = "irviewer " + first.digest;
  let kept = { answers: {}, seen: {} }; // begun: when it was last started again; named: when the name was written
  // Of two that were kept all is right: an older entry of the history, or another tab, may have what this one has not.
  const both = (one, two) => [...one, ...two.filter((each) => !one.some((other) => JSON.stringify(other) === JSON.stringify(each)))].sort((a, b) => (a.at || 0) - (b.at || 0));
  function take(text) {
    const held = Object.assign({ answers: {}, seen: {} }, JSON.parse(text || "{}")), begun = held.begun || 0;
    if (begun > (kept.begun || 0)) kept = Object.assign({}, kept, { answers: {}, seen: {}, begun }); // what was made before was given up
    if (begun === (kept.begun || 0)) {
      for (const [question, all] of Object.entries(held.answers)) kept.answers[question] = both(kept.answers[question] || [], all);
      Object.assign(kept.seen, held.seen);
    }
    if (held.language && !kept.language) kept.language = held.language;
    if (held.name !== undefined && (kept.name === undefined || (held.named || 0) > (kept.named || 0))) Object.assign(kept, { name: held.name, named: held.named });
  }
  const made = (of) => Object.values(of.answers || {}).flat().length;
  const takeStored = () => { try { take(localStorage.getItem(key)); } catch { /* without storage it is forgotten at the end */ } };
  takeStored();
  // A browser writes its storage a moment later, and may load the page again before: the history has it at once.
  try { if (history.state && history.state.key === key) take(history.state.text); } catch { /* the same */ }
  const keep = (changed = true) => {
    if (changed) takeStored();
    const text = JSON.stringify(kept);
    try { if (changed) localStorage.setItem(key, text); } catch { /* the same */ }
    try { history.replaceState({ key, text }, ""); } catch { /* the same */ }
  };
  try { if (made(JSON.parse(localStorage.getItem(key) || "{}")) < made(kept)) keep(); } catch { /* the same */ }
  const filled = (text, name, value) => text.replace(`{${name}}`, () => value); // a function: no $& in a value is a pattern
  const moved = {}; // by lesson, place and table: the order of a student
  const done = {}; // by lesson and place: true for a step that is done, false for one that was; there is none for others
  const begun = {}; // by question: what is typed or chosen there and not given as the answer yet
  let shownAt = ""; // the place in sight

  // --- values: the same sums in the same order as the program's ---
  const COLUMNS = {
    P: (v, k) => v.hits[k] / (k + 1), R: (v, k) => v.hits[k] / Math.max(1, v.relevant),
    F: (v, k) => (2 * v.hits[k]) / Math.max(1, k + 1 + v.relevant), AP: (v, k) => v.sum[k],
    "AP@K": (v, k) => v.sum[k] / Math.max(1, v.relevant), RR: (v, k) => (v.first && k + 1 >= v.first ? 1 / v.first : 0),
    gain: (v, k) => v.gain[k], discount: (v, k) => v.discount[k], discounted: (v, k) => v.gain[k] * v.discount[k],
    CG: (v, k) => v.cg[k], DCG: (v, k) => v.dcg[k], ideal: (v, k) => v.ideal[k], nDCG: (v, k) => (v.ideal[k] > 0 ? v.dcg[k] / v.ideal[k] : 0),
  };
  function values(table, order) {
    const v = { relevant: table.relevant, discount: table.discount, ideal: table.ideal, hits: [], sum: [], cg: [], dcg: [], gain: [], first: 0 };
    let hits = 0, sum = 0, cg = 0, dcg = 0;
    order.forEach((document, k) => {
      hits += table.is_relevant[document];
      if (table.is_relevant[document]) { sum += hits / (k + 1); v.first = v.first || k + 1; }
      const gain = table.gain[document];
      cg += gain; dcg += gain * table.discount[k];
      v.hits.push(hits); v.sum.push(sum); v.gain.push(gain); v.cg.push(cg); v.dcg.push(dcg);
    });
    return v;
  }
  // Half up at the exact decimals, as in the program: .125 is .13.
  function rounded(value, decimals) {
    const [whole, part] = Math.abs(value).toFixed(12).split(".");
    let digits = BigInt(whole + part.slice(0, decimals));
    if (part[decimals] >= "5") digits += 1n;
    const text = digits.toString().padStart(decimals + 1, "0");
    const sign = value < 0 && digits ? "-" : "";
    return sign + (decimals ? text.slice(0, -decimals) + "." + text.slice(-decimals) : text);
  }
  const bare = (text) => (text.startsWith("0.") && !data.zero ? text.slice(1) : text).replace(".", data.decimal);
  const isWhole = (value) => Math.abs(value - Math.round(value)) < 1e-9;
  const two = (value) => bare(rounded(value, 2));
  const short = (value) => (isWhole(value) ? String(Math.round(value)) : two(value));
  function upToFour(value) {
    let text = rounded(value, 4);
    while (text.endsWith("0") && text.split(".")[1].length > 2) text = text.slice(0, -1);
    return bare(text);
  }
  function cell(v, column, k) {
    const value = COLUMNS[column](v, k);
    if (column === "P") return [`${v.hits[k]}/${k + 1}`, short(value)];
    if (column === "R") return [v.relevant ? `${v.hits[k]}/${v.relevant}` : "", two(value)];
    if (column === "RR") return value ? [`1/${v.first}`, short(value)] : ["", "0"];
    if (column === "nDCG" || column === "AP@K") return ["", upToFour(value)];
    return ["", column === "AP" || column === "F" ? two(value) : short(value)];
  }

  // --- answers, marked as in the program ---
  function numberIn(text) {
    const match = /^\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(?:\/\s*(\d+(?:[.,]\d+)?)|(%))?\s*$/.exec(text.replace("\u2212", "-").replace(/(\d)[ \u00a0\u2009\u202f](?=\d{3}(?!\d))/g, "$1"));
    if (!match) return null;
    const value = Number(match[1].replace(",", "."));
    if (match[2]) { const below = Number(match[2].replace(",", ".")); return below ? value / below : null; }
    return match[3] ? value / 100 : value;
  }
  const plain = (text) => text.trim().split(/\s+/).join(" ").toLowerCase().replace(/ß/g, "ss").normalize("NFKD").replace(/\p{M}/gu, "");
  function isRounded(text, value, wanted) {
    const match = /^[+-]?\d*[.,](\d+)$/.exec(text.replace("\u2212", "-").trim());
    return Boolean(match && value) && Math.abs(value) < 1e15 && rounded(wanted, match[1].length) === rounded(value, match[1].length);
  }
  function mark(question, text) {
    text = text.trim();
    const wanted = question.value, grouped = wanted !== null && Math.abs(wanted) >= 1000 && /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(text);
    const value = grouped ? Number(text.replace(/[.,]/g, "")) : numberIn(text);
    if (wanted === null) {
      if (question.spellings.some((each) => plain(each) === plain(text))) return { right: true, reason: question.because };
    } else if (value === null) return { right: false, reason: filled(t.no_number, "text", escaped(text)) };
    else if (Math.abs(value - wanted) <= question.within + 1e-12) return { right: true, reason: question.because };
    else if (isRounded(text, value, wanted)) return { right: false, rounded: true, reason: t.more_digits };
    for (const wrong of question.wrong) {
      const expected = numberIn(wrong.answer);
      if (expected === null || value === null ? plain(wrong.answer) === plain(text) : Math.abs(value - expected) <= question.within + 1e-12)
        return { right: false, reason: wrong.reason };
    }
    return { right: false, reason: "" };
  }
  function choose(question, picked) {
    const wanted = question.choices.map((choice, n) => (choice.right ? n : -1)).filter((n) => n >= 0);
    const extra = picked.filter((n) => !wanted.includes(n)), right = !extra.length && picked.length === wanted.length;
    const reasons = (extra.length ? extra : picked).map((n) => question.choices[n].reason).filter(Boolean);
    if (right && question.because) reasons.push(question.because);
    return { right, reason: !extra.length && !right ? t.incomplete : reasons.map((each) => `<p>${each}</p>`).join("") };
  }

  // --- what is shown ---
  const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  function element(name, attributes = {}, ...content) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      if (attribute === "html") made.innerHTML = value;
      else if (attribute.startsWith("on")) made.addEventListener(attribute.slice(2), value);
      else if (value !== false && value !== null) made.setAttribute(attribute, value === true ? "" : value);
    }
    made.append(...content.filter((each) => each !== null && each !== ""));
    return made;
  }
  const lesson = () => data.lessons[at.lesson];
  const place = () => lesson().places[at.place];
  const keyOf = (of, place) => `${of.id}/${place}/${of.places[place].version}`; // an answer to another version of a question is none
  const answerKey = () => keyOf(lesson(), at.place);
  const tries = () => kept.answers[answerKey()] || [];
  const given = () => tries().filter((each) => !each.hint).at(-1);
  const asking = () => place().kind === "question" && !(given() && (given().right || given().shown));
  const isOpen = (of, n) => of.places[n].kind === "question" && !(kept.answers[keyOf(of, n)] || []).some((each) => !each.hint && (each.right || each.shown));
  const covering = () => lesson().covers && place().kind !== "step" && lesson().places.some((_, n) => isOpen(lesson(), n)); // until all are answered

  // A value is covered until the questions that ask for it are answered; at a question of a cell those before it may be open.
  const awaited = (n) => isOpen(lesson(), n) && n !== at.place && !(place().cell && n < at.place);
  function covered(question, column, k, asked) {
    if (covering() || asked.some(([n, rank]) => k + 1 >= rank && awaited(n))) return true;
    if (!question || !asking()) return false;
    if (!question.cell) return question.choices.length === 0;
    return (column === question.cell.column || question.cell.leads_to.includes(column)) && k + 1 >= question.cell.rank;
  }
  function tableOf(table, name, question, still) {
    const start = table.documents.map((_, n) => n), order = moved[name] || start, changed = Boolean(moved[name]), v = values(table, order);
    const head = element("tr", {}, still ? null : element("td", { class: "moves" }), ...[t.rank, t.document, t.grade, ...table.titles].map((title) => element("th", { scope: "col" }, title)));
    const rows = order.map((document, k) => {
      const grade = table.grades[document], class_of = grade === null ? "" : `g${Math.max(0, Math.min(4, Math.ceil(grade)))}`;
      const cells = table.columns.map((column, n) => {
        if (covered(question, column, k, table.awaited[n])) return element("td", { class: "covered" }, element("span", { "aria-label": t.covered }, "·"));
        const [fraction, value] = changed ? cell(v, column, k) : table.cells[k][n];
        return element("td", {}, fraction && fraction !== value ? element("span", { class: "fraction" }, `${fraction} =`) : "", value);
      });
      const move = (step) => element("button", { "aria-label": filled(step < 0 ? t.up : t.down, "document", table.documents[document]), disabled: !order[k + step] && order[k + step] !== 0,
        onclick: () => { const next = [...order]; [next[k], next[k + step]] = [next[k + step], next[k]]; moved[name] = next; render(`${name}/${k + step}/${step}`); }, "data-move": `${name}/${k}/${step}` }, step < 0 ? "▲" : "▼");
      return element("tr", {}, still ? null : element("td", { class: "moves" }, move(-1), move(1)), element("td", {}, String(k + 1)), element("td", { class: "document" }, table.documents[document]),
        element("td", { class: class_of }, grade === null ? "–" : String(grade)), ...cells);
    });
    const made = element("div", {}, element("div", { class: "scroll" }, element("table", {}, element("caption", {}, element("span", {}, table.name)), head, ...rows)));
    if (changed) made.append(element("div", { class: "row" }, element("button", { onclick: () => { delete moved[name]; render(`${name}/0/1`); } }, t.reset)));
    // A curve of precision is read by its axes; one of DCG has its highest value beside it.
    if (table.curve && (table.curve === "PR" || (!covering() && !(question && asking() && !question.choices.length)))) made.append(curve(table, v, order.length));
    return made;
  }
  const svg = (name, attributes, text) => { const made = document.createElementNS("http://www.w3.org/2000/svg", name); for (const [a, b] of Object.entries(attributes)) made.setAttribute(a, b); if (text) made.textContent = text; return made; };
  function plot(label, axes, top, lines) { // lines of points from 0 to 1 and to the highest value; axes: what is below, what is above
    const made = svg("svg", { viewBox: "0 0 300 210", class: "curve", role: "img", "aria-label": label }), at = (point) => [30 + point[0] * 250, 180 - (point[1] / top) * 160].map((each) => each.toFixed(1));
    const isShare = !axes[2], shares = isShare ? [0.2, 0.4, 0.6, 0.8] : []; // both axes of precision are read by these
    for (const share of shares) {
      const [x, y] = at([share, share]), text = bare(rounded(share, 1));
      made.append(svg("path", { class: "grid", d: `M${x} 20V180M30 ${y}H280` }), svg("text", { x, y: 191, "text-anchor": "middle" }, text), svg("text", { x: 26, y: Number(y) + 3, "text-anchor": "end" }, text));
    }
    made.append(svg("path", { class: "axis", d: "M30 20V180H280" }));
    for (const line of lines) {
      made.append(svg("polyline", { class: line.kind, points: line.points.map((point) => at(point).join(",")).join(" ") }));
      if (line.dots) for (const point of line.points) { const [cx, cy] = at(point); made.append(svg("circle", { cx, cy, r: 2.2 })); }
    }
    made.append(svg("text", { x: 280, y: 204, "text-anchor": "end" }, axes[0]), svg("text", { x: 32, y: 14 }, axes[1]));
    made.append(svg("text", { x: 30, y: 191, "text-anchor": "middle" }, axes[2] || "0"), svg("text", { x: 26, y: 23, "text-anchor": "end" }, isShare ? "1" : short(top)));
    if (isShare) made.append(svg("text", { x: 280, y: 191, "text-anchor": "middle" }, "1"));
    return made;
  }
  function curve(table, v, n) {
    const of = (column) => Array.from({ length: n }, (_, k) => COLUMNS[column](v, k));
    const isGraded = table.curve === "DCG", one = isGraded ? of("DCG") : of("P"), top = isGraded ? Math.max(...of("DCG"), ...of("ideal"), 1e-9) : 1;
    const x = isGraded ? Array.from({ length: n }, (_, k) => (k + 1) / n) : of("R");
    const two = isGraded ? of("ideal") : one.map((_, k) => Math.max(...one.slice(k)));
    const lines = [{ kind: "two", points: two.map((y, k) => [x[k], y]) }, { kind: "one", points: one.map((y, k) => [x[k], y]), dots: true }];
    return plot(filled(isGraded ? t.dcg_curve : t.pr_curve, "name", table.name), isGraded ? [t.rank, t.dcg, "1"] : [t.recall, t.precision], top, lines);
  }
  // By ranking: the highest precision at recall 0, .01 … 1 or any higher one, the mean over the queries that count.
  function means(tables, orders) {
    const sums = new Map();
    tables.forEach((table, n) => {
      if (!table.counts) return;
      const order = orders[n], v = values(table, order), found = order.flatMap((_, k) => (table.is_relevant[order[k]] ? [v.hits[k] / (k + 1)] : []));
      const best = found.map((_, k) => Math.max(...found.slice(k))), sum = sums.get(table.run) || { of: 0, mean: Array(101).fill(0) };
      sum.of += 1;
      for (let level = 0, needed = 1; level <= 100; level += 1) {
        while (needed / table.relevant < level / 100) needed += 1;
        sum.mean[level] += best[needed - 1] || 0;
      }
      sums.set(table.run, sum);
    });
    return [...sums].map(([run, sum]) => [run, sum.mean.map((each) => each / sum.of)]);
  }
  function meanCurves(tables, name) {
    const all = means(tables, tables.map((table, n) => moved[`${name}/${n}`] || table.documents.map((_, k) => k))), kind = (n) => `line${n % 4}`;
    const lines = all.map(([, mean], n) => ({ kind: kind(n), points: mean.map((y, level) => [level / 100, y]) }));
    const names = all.map(([run], n) => element("span", { class: "key" }, (() => { const made = svg("svg", { viewBox: "0 0 28 8", class: "curve" }); made.append(svg("path", { class: kind(n), d: "M1 4H27" })); return made; })(), run));
    return element("figure", { class: "mean" }, element("figcaption", {}, t.mean_curve), plot(`${t.mean_curve}: ${all.map(([run]) => run).join(", ")}`, [t.recall, t.precision], 1, lines), element("div", { class: "row" }, ...names));
  }
  function feedback(answer, question) {
    const title = answer.shown ? filled(t.answer_is, "answer", question.right) : answer.right ? t.is_right : answer.rounded ? t.is_rounded : t.is_wrong;
    return element("div", { class: `feedback ${answer.right ? "right" : answer.shown || answer.rounded ? "" : "wrong"}` }, element("strong", {}, title), element("div", { html: answer.reason }));
  }
  // What was said of an answer, in the language in view.
  const saidAnew = (answer, question) => (answer.shown ? { ...answer, reason: question.shown } : { ...answer, ...(answer.picked ? choose(question, answer.picked) : mark(question, answer.text)) });
  function say(answer) {
    const all = kept.answers[answerKey()] || (kept.answers[answerKey()] = []);
    if (!answer.hint) delete begun[answerKey()];
    all.push({ ...answer, at: Date.now() }); keep(); render("answer");
  }
  function questionOf(question) {
    const last = given(), box = element("section", { "aria-label": t.question }), open = asking(), hinted = tries().some((each) => each.hint);
    const now = begun[answerKey()] || last || {};
    const chosen = () => [...form.querySelectorAll("input")].map((each, n) => (each.checked ? n : -1)).filter((n) => n >= 0);
    const form = element("form", { oninput: () => { begun[answerKey()] = question.choices.length ? { picked: chosen() } : { text: form.elements.answer.value }; }, onsubmit: (event) => {
      event.preventDefault();
      if (question.choices.length) {
        const picked = chosen();
        if (picked.length) say(Object.assign({ picked }, choose(question, picked)));
      } else if (form.elements.answer.value.trim()) say(Object.assign({ text: form.elements.answer.value }, mark(question, form.elements.answer.value)));
    } });
    if (question.choices.length) {
      const set = element("fieldset", {}, element("legend", { html: place().title }));
      question.choices.forEach((choice, n) => set.append(element("label", { class: "choice" },
        element("input", { type: question.several ? "checkbox" : "radio", name: "choice", disabled: !open, checked: open ? Boolean(now.picked && now.picked.includes(n)) : choice.right }), " ", element("span", { html: choice.text }))));
      form.append(set);
    } else {
      form.append(element("h3", { html: place().title, id: "asked" }));
      form.append(element("input", { type: "text", name: "answer", autocomplete: "off", "aria-labelledby": "asked", disabled: !open, value: (open ? now.text : last && last.text) || "", placeholder: question.value === null ? t.word : t.number }));
    }
    const buttons = element("div", { class: "row" });
    if (question.points) form.append(element("p", { class: "note" }, question.points));
    if (open) buttons.append(element("button", { class: "main" }, t.answer), element("button", { type: "button", onclick: () => say({ right: false, shown: true, reason: question.shown }) }, t.show));
    if (open && question.hint && !hinted) buttons.append(element("button", { type: "button", onclick: () => say({ hint: true }) }, question.hint_button));
    form.append(buttons);
    box.append(form, element("div", { "aria-live": "polite", role: "status", class: "hint" }, hinted ? element("div", { html: question.hint }) : ""));
    box.append(element("div", { "aria-live": "polite", role: "status" }, last ? feedback(saidAnew(last, question), question) : ""));
    return box;
  }
  function tables(of, name, question, still = false) {
    return element("div", { class: "tables" }, place().mean ? meanCurves(of, name) : null, ...of.map((table, n) => tableOf(table, `${name}/${n}`, question, still)));
  }
  function render(focus) {
    if (at.lesson < 0) return contents();
    const of = lesson(), here = place(), name = `${at.lesson}/${at.place}`, question = here.kind === "question" ? here : null;
    const parts = [element("p", { class: "place" }, filled(filled(t.place, "place", at.place + 1), "count", of.places.length)), element("h2", { tabindex: "-1" }, of.title)];
    if (at.place === 0 && of.source) parts.push(element("p", { class: "source" }, of.source));
    if (here.kind === "step") parts.push(element("h3", { html: here.title }));
    if (question) parts.push(questionOf(question));
    const isDone = Boolean(done[name]); // what a step does can be predicted: its text says it
    if (!here.after || name in done) parts.push(element("div", { class: "text", html: here.text }));
    if (here.after) {
      parts.push(element("div", { class: "row" }, element("button", { class: isDone ? "" : "main", onclick: () => { done[name] = !isDone; render("step"); }, id: "step" }, isDone ? t.undo : t.do_it)));
      parts.push(element("p", { "aria-live": "polite", role: "status" }, element("strong", {}, isDone ? here.change : "")));
    }
    if (!asking() && !covering()) here.figures.filter((figure) => (!here.after || isDone) && !figure.awaited.some(awaited)).forEach((figure) => parts.push(element("p", { class: "note" }, figure.text)));
    const last = at.place === of.places.length - 1, next = data.lessons[at.lesson + 1];
    if (last && !asking()) { kept.seen[of.id] = true; keep(); }
    parts.push(element("nav", { class: "row", "aria-label": t.steps },
      element("button", { disabled: at.place === 0, onclick: () => go(at.lesson, at.place - 1) }, t.back),
      last ? (next ? element("button", { class: asking() || (here.after && !isDone) ? "" : "main", onclick: () => go(at.lesson + 1, 0), id: "next" }, filled(t.next_lesson, "title", next.title)) : element("button", { onclick: () => go(-1, 0), id: "next" }, t.end))
        : element("button", { class: asking() || (here.after && !isDone) ? "" : "main", onclick: () => go(at.lesson, at.place + 1), id: "next" }, t.next),
      data.lessons.length > 1 ? element("button", { onclick: () => go(-1, 0) }, t.contents) : null));
    const values = isDone ? here.view_after + here.values_after : here.view + here.values;
    if (values) parts.push(element("div", { class: "text", html: values }));
    parts.push(tables(isDone ? here.after : here.tables, name + (isDone ? "/after" : ""), question));
    parts.push(element("p", { class: "source" }, of.rules));
    if (data.lessons.length === 1) parts.push(saving()); // it has no contents
    const wide = () => [...main.querySelectorAll(".scroll")], left = shownAt === name ? wide().map((each) => each.scrollLeft) : [];
    shownAt = name;
    main.replaceChildren(element("article", { class: "lesson" }, ...parts));
    wide().forEach((each, n) => { each.scrollLeft = left[n] || 0; });
    const moves = focus && main.querySelector(`[data-move="${focus}"]`);
    if (moves) { // what is in sight stays where it is
      const button = moves.disabled ? moves.parentElement.querySelector("button:enabled") : moves;
      button.focus({ preventScroll: true }); button.closest("tr").scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    else if (focus === "step") main.querySelector("#step").focus();
    else if (focus === "answer") { const field = main.querySelector("input[type=text]:enabled, fieldset input:enabled"); if (field) { field.focus(); if (field.select) field.select(); } else main.querySelector("#next").focus(); }
    else if (focus !== "first") main.querySelector("h2").focus({ preventScroll: false });
  }
  function contents() {
    const parts = [element("h2", { tabindex: "-1" }, data.title), element("div", { html: data.text })];
    let list = null, chapter = null;
    data.lessons.forEach((of, n) => {
      if (list === null || of.chapter !== chapter) { chapter = of.chapter; if (chapter) parts.push(element("h3", {}, chapter)); list = element("ol", { start: n + 1 }); parts.push(list); }
      const questions = of.places.map((each, p) => (each.kind === "question" ? p : -1)).filter((p) => p >= 0), right = questions.filter((p) => (kept.answers[keyOf(of, p)] || []).some((each) => each.right)).length;
      const finished = kept.seen[of.id] && right === questions.length;
      list.append(element("li", { class: finished ? "done" : "" }, element("a", { href: "#" + encodeURIComponent(of.id) }, of.title), questions.length && !finished && right ? ` · ${filled(filled(questions.length === 1 ? t.some_one : t.some, "done", right), "n", questions.length)}` : "", finished ? element("span", { class: "note" }, ` ${t.done}`) : ""));
    });
    parts.push(saving());
    main.replaceChildren(element("nav", { class: "contents", "aria-label": t.contents }, ...parts));
    main.querySelector("h2").focus();
  }
  function saving() {
    const name = element("input", { type: "text", id: "name", value: first.student || kept.name || "", disabled: Boolean(first.student), autocomplete: "name", oninput: () => { Object.assign(kept, { name: name.value, named: Date.now() }); keep(); } });
    return element("div", { class: "row" }, element("label", { for: "name" }, t.name), name, element("button", { onclick: save }, t.save), element("button", { onclick: () => { if (confirm(t.sure)) { kept = { ...kept, answers: {}, seen: {}, begun: Math.max(Date.now(), (kept.begun || 0) + 1) }; for (const each of Object.keys(begun)) delete begun[each]; keep(); render(); } } }, t.forget));
  }
  function payload() {
    const answers = {}, versions = {};
    data.lessons.forEach((of) => of.places.forEach((each, p) => { const all = kept.answers[keyOf(of, p)]; if (each.kind !== "question" || !all) return; (versions[of.id] = versions[of.id] || {})[p] = each.version; (answers[of.id] = answers[of.id] || {})[p] = all.map((one) => (one.hint ? { hint: true } : one.shown ? { shown: true } : one.picked ? { picked: one.picked } : { text: one.text })); }));
    return JSON.stringify({ "irviewer answers": 1, course: first.digest, name: first.student || kept.name || "", ...(first.student ? { student: first.student } : {}), answers, versions }, null, 1);
  }
  function save() {
    takeStored();
    const link = element("a", { href: URL.createObjectURL(new Blob([payload()], { type: "application/json" })), download: `${(first.student || kept.name || "answers").replace(/[^\p{L}\p{N}]+/gu, "-")}.json` });
    document.body.append(link); link.click(); link.remove();
  }
  function go(of, to) {
    at.lesson = of; at.place = to;
    const wanted = of < 0 ? "#" : `#${encodeURIComponent(lesson().id)}/${to}`;
    if (location.hash !== wanted) location.hash = wanted; else render();
  }
  const switching = element("button", { onclick: () => { speak(data === first ? editions[1] : first); kept.language = data.language; keep(); render("first"); switching.focus(); } });
  function speak(edition) {
    data = edition; t = data.texts;
    document.documentElement.lang = data.language;
    document.title = document.querySelector("header h1").textContent = data.title;
    const other = data === first ? editions[1] : first;
    if (!other) return;
    switching.textContent = other.language_name; switching.lang = other.language;
    document.querySelector("header").append(switching);
  }
  function follow() {
    const [id, to] = location.hash.slice(1).split("/"), of = data.lessons.findIndex((each) => [each.id, encodeURIComponent(each.id)].includes(id));
    at.lesson = of >= 0 ? of : data.lessons.length === 1 ? 0 : -1;
    for (const each of Object.keys(moved)) delete moved[each]; // every place begins with the lists of the file
    for (const each of Object.keys(done)) done[each] = false;
    at.place = of >= 0 ? Math.min(Math.max(0, Number(to) || 0), data.lessons[of].places.length - 1) : 0;
    render();
  }
  addEventListener("storage", (event) => { // another tab of this page; it may have written before it knew what this one has
    if (event.key !== key) return;
    takeStored();
    let lacks = false;
    try { const held = JSON.parse(event.newValue || "{}"); lacks = (held.begun || 0) < (kept.begun || 0) || made(held) < made(kept); } catch { /* the same */ }
    keep(lacks); // the history of this tab in any case
  });
  addEventListener("hashchange", () => { follow(); keep(false); });
  function printedView(of, name) { // what its text is about; the values of all queries once
    const view = (of.after ? (name in done ? of.view_after : "") : of.view) + (of.kind === "beginning" ? of.values : "");
    return view ? element("div", { class: "text", html: view }) : "";
  }
  addEventListener("beforeprint", () => { // the whole lesson, or all of them, without what is answered by clicks
    const now = { ...at }, all = at.lesson < 0 ? data.lessons : [lesson()];
    main.replaceChildren(...all.map((of) => element("article", { class: "lesson" }, element("h2", {}, of.title), element("p", { class: "source" }, of.source), ...of.places.map((each, p) => {
      at.lesson = data.lessons.indexOf(of); at.place = p;
      const lines = each.kind === "question" ? (each.choices.length ? [element("ul", { class: "boxes" }, ...each.choices.map((choice) => element("li", { html: choice.text })))] : [element("p", {}, "______________")]) : [];
      return element("section", { class: "printed" }, p ? element("h3", { html: each.title }) : "", each.after && !(`${at.lesson}/${p}` in done) ? element("p", {}, "______________") : element("div", { class: "text", html: each.text }), ...lines, printedView(each, `${at.lesson}/${p}`), p === 0 ? tables(each.tables, "print", null, true) : "");
    }))));
    Object.assign(at, now);
  });
  addEventListener("afterprint", () => render());
  window.irviewer = { payload, mark, choose, values, cell, means, get data() { return data; } }; // for tests
  speak(editions.find((each) => each.language === kept.language) || first);
  follow();
})();
