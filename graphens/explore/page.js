// The page: one state, the views of it, the controls that change it, and window.graphens for scripts.

const $ = id => document.getElementById(id);
const say = (tag, text, kind) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (kind) e.className = kind; return e; };
const many = (n, one, more) => `${n.toLocaleString("en")} ${n === 1 ? one : more || one + "s"}`;
const number = x => x > 0 && x < .001 ? "<0.001" : String(+x.toFixed(3));

function theme() { for (const name of ["ink", "soft", "line", "paper", "card", "mark", "edge", "cold", "hot"]) css[name] = css("--" + name); }

/** What is true on the page at a moment; the views ask it for colors. */
class State {
  constructor(model) {
    Object.assign(this, { model, theta: model.facts.theta, selected: new Set(), hover: null, colorBy: "cluster", focus: null, turn: 0 });
    const some = model.facts.groups.length > 1 && model.facts.groups.length < model.n;
    this.open = model.facts.groups.map(() => model.n <= 3000 || (!some && model.n <= 50000));
    this.cut();
  }
  /** After the threshold moved: components, their colors, and the largest piece of every cluster. */
  cut() {
    const { model } = this, pieces = this.pieces = model.pieces(this.theta), most = new Map();
    const count = new Map(), G = model.facts.groups.length;
    for (let i = 0; i < model.n; i++) { const key = pieces.of[i] * G + model.group[i]; count.set(key, (count.get(key) || 0) + 1); }
    this.largest = new Float64Array(G);
    this.parts = new Int32Array(G);
    const part = new Int32Array(pieces.size.length).fill(-1), held = new Float64Array(pieces.size.length);
    for (const [key, c] of count) {
      const p = Math.floor(key / G), g = key % G;
      if (c > this.largest[g]) this.largest[g] = c;
      this.parts[g]++;
      if (c > held[p] || (c === held[p] && g < part[p])) { held[p] = c; part[p] = g; }
    }
    let fresh = 0;  // a component has the color of the cluster it holds most of; the next one of that cluster a free color
    this.pieceColor = pieces.size.map((size, p) => {
      const g = part[p];
      if (!most.has(g)) { most.set(g, p); return model.facts.groups[g].color; }
      return size < 2 ? css.single : model.facts.free[fresh++ % model.facts.free.length];
    });
    this.tint = this.pieceColor.map((color, p) => held[p] < .9 * pieces.size[p] ? css.edge : color);  // gray where clusters mix
    const kept = above(model.weight, this.theta);
    this.joined = new Set();
    for (let e = 0; e < kept; e++) {
      const a = model.group[model.source[e]], b = model.group[model.target[e]];
      if (a !== b) this.joined.add(Math.min(a, b) * G + Math.max(a, b));
    }
  }
  tied(t) { return this.joined.has(this.model.tie_a[t] * this.model.facts.groups.length + this.model.tie_b[t]); }
  core(g) { return this.largest[g] / Math.max(this.model.members[g].length, 1); }
  color(i) {
    const { model, colorBy } = this, column = model.facts.columns[colorBy];
    if (column) {
      const value = model["column_" + colorBy][i];
      if (column.values) return value < 0 ? css.single : column.colors[value];
      return value === value ? shade((value - column.low) / (column.high - column.low), VIRIDIS) : css.single;
    }
    if (colorBy === "island") return this.pieceColor[this.pieces.of[i]];
    if (colorBy === "confidence") return shade((model.confidence[i] / 1000 - .4) / .6, DOUBT);
    return model.facts.groups[model.group[i]].color;
  }
  /** What the colors stand for: a text, a color, and the place of every object in the list. */
  key() {
    const { model, colorBy, pieces } = this, column = model.facts.columns[colorBy], { groups } = model.facts;
    if (column && column.values) return { rows: [...column.values.map((text, v) => [text, column.colors[v]]), ["none", css.single]], at: i => { const v = model["column_" + colorBy][i]; return v < 0 ? column.values.length : v; } };
    if (colorBy === "island") return { rows: pieces.size.slice(0, 40).map((size, p) => [`island ${p + 1}`, this.pieceColor[p]]), at: i => pieces.of[i] };
    if (colorBy === "cluster") return { rows: groups.map(group => [group.name, group.color]), at: i => model.group[i] };
    const low = column ? column.low : 0, high = column ? column.high : 1, value = i => (column ? model["column_" + colorBy][i] : model.confidence[i] / 1000);
    const step = (high - low) / 10, rows = Array.from({ length: 10 }, (_, j) => [`${+(low + j * step).toPrecision(3)} to ${+(low + (j + 1) * step).toPrecision(3)}`, column ? shade((j + .5) / 10, VIRIDIS) : shade(((j + .5) / 10 - .4) / .6, DOUBT)]);
    return { rows: [...rows, ["none", css.single]], at: i => (value(i) === value(i) ? Math.min(Math.floor((value(i) - low) / step), 9) : 10) };
  }
  nodeColor(node) {
    const { model } = this;
    if (this.colorBy === "island") return this.pieceColor[this.pieces.of[model.leaf[model.begin[node]]]];
    return model.facts.groups[model.mode[node]].color;
  }
  chosenIn() { const inside = {}; for (const i of this.selected) inside[this.model.group[i]] = true; return inside; }
  blocks() { const found = new Set(); if (this.model.block) for (const i of this.selected) found.add(this.model.block[i]); return found; }
}

// From orange (unsure) over gray to blue (sure), told apart by all eyes; and from dark to light for other numbers.
const DOUBT = [[213, 94, 0], [190, 190, 190], [0, 90, 160]], VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function shade(x, stops) {
  const at = Math.min(Math.max(x, 0), 1) * (stops.length - 1), j = Math.min(Math.floor(at), stops.length - 2);
  return "#" + stops[j].map((v, c) => Math.round(v + (stops[j + 1][c] - v) * (at - j)).toString(16).padStart(2, "0")).join("");
}

class Page {
  constructor(model) {
    this.model = model;
    const state = this.state = new State(model);
    this.graph = new GraphView($("graph"), model, state);
    this.tree = new TreeView($("tree"), model, state);
    this.heat = model.heat && model.facts.heat ? new HeatView($("heat"), model, state) : null;
    if (!this.heat) $("heat").closest("section").hidden = true;
    this.table = new TableView($("objects"), model, state, (i, more) => this.pick(i, more));
    this.heads();
    this.controls();
    this.pointing();
    this.keys();
    $("threshold").min = model.facts.lowest; $("threshold").max = model.facts.highest; $("threshold").step = (model.facts.highest - model.facts.lowest) / 1000;
    $("all").hidden = model.n > 50000 || model.facts.groups.length < 2;
    const { columns } = model.facts, colors = [["cluster", "cluster"], ["island", "island"], ...(model.confidence ? [["confidence", "confidence"]] : []), ...columns.map((column, j) => [j, column.name])];
    $("by").replaceChildren(...colors.map(([by, text]) => { const option = say("option", shown(text)); option.value = by; return option; }));
    $("hint").textContent = (model.facts.placed === "map" ? `Each dot is ${model.facts.vertex === "vertex" ? "a vertex" : "an object"}; those that are often together are close. A tinted area is an island at this threshold, and a ring marks a confidence below 0.6. `
      : model.facts.placed ? "" : `The area of a disc is its number of members; the solid part is its largest island. Lines between discs: ${model.facts.tie}. Click a disc to open it. `)
      + `Click ${model.facts.vertex === "vertex" ? "a vertex" : "an object"} to see what joins it to others. Drag to move, scroll or pinch to zoom, Shift and drag to select, / to search.`;
    const { lowest, highest } = model.facts;
    $("ticks").replaceChildren(...model.merges().map(at => { const tick = say("i"), part = (at - lowest) / (highest - lowest); tick.style.left = `calc(8px + ${part} * (100% - 16px))`; return tick; }));
    this.graph.fit();
    this.moved();
    this.details();
    const watch = new ResizeObserver(() => this.later());
    for (const id of ["graph", "tree", "heat", "objects"]) watch.observe($(id));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { theme(); this.moved(); });
  }

  /** Draw everything, once, in the next frame. */
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }
  draw() {
    const begin = performance.now();
    this.graph.draw(); this.tree.draw(); if (this.heat) this.heat.draw(); this.table.draw();
    this.took = performance.now() - begin;
  }

  // changes of the state ------------------------------------------------------------------------------------

  setThreshold(x) {
    const theta = Number(x);
    if (!Number.isFinite(theta)) throw new RangeError(`The threshold ${x} was given; expected a number.`);
    this.state.theta = Math.max(theta, this.model.facts.lowest);
    this.state.cut();
    this.moved();
  }
  moved() {
    const { model, state } = this, { theta } = state, c = model.components(theta), [from, to] = model.lifetime(theta), { sampled, vertices, edge } = model.facts;
    const single = sampled ? 0 : state.pieces.size.filter(size => size === 1).length, words = model.words(theta);
    $("threshold").value = theta;
    $("threshold").setAttribute("aria-valuetext", words);
    $("theta").textContent = words;
    $("counts").textContent = `${many(model.edges(theta), edge)} · ${many(c, "island")}${sampled ? ` among ${vertices.toLocaleString("en")}` : ""}${single ? ` (${single.toLocaleString("en")} single)` : ""}`;
    $("life").textContent = `${many(c, "island")} from ${model.amount(from)} to ${model.amount(to)}`;
    this.graph.recolor();
    if (state.colorBy === "island") this.legend();
    this.later();
  }
  /** Let the threshold fall, so that islands merge: from the top, or from where it was stopped. */
  play(on) {
    const turn = this.run = on ? {} : null, { lowest, highest } = this.model.facts, from = this.stopped === undefined ? highest : this.stopped, begin = performance.now();
    $("play").textContent = on ? "❚❚" : "▶";
    const step = now => {
      if (this.run !== turn || !turn) return;
      const theta = from - Math.max(now - begin, 0) / 8000 * (highest - lowest);
      this.stopped = theta > lowest ? theta : undefined;
      this.setThreshold(theta);
      if (theta > lowest) requestAnimationFrame(step); else this.play(false);
    };
    if (on) requestAnimationFrame(step);
  }
  select(indices, focus) {
    const { state } = this;
    Object.assign(state, { selected: new Set(indices), nothing: false, turn: state.turn + 1 });
    state.focus = focus || (state.selected.size === 1 ? { vertex: [...state.selected][0] } : null);
    this.shown();
  }
  shown() {
    const { state } = this;
    this.details();
    this.table.sort();
    if (state.selected.size === 1) this.table.show([...state.selected][0]);
    else { this.table.box.scrollTop = 0; this.table.draw(); }
    this.later();
  }
  /** Select one object or, with more, add it to the others or remove it; of several, look at one. */
  pick(i, more) {
    const { state } = this;
    if (!more && state.selected.size > 1 && state.selected.has(i)) { state.focus = { vertex: i }; this.details(); this.later(); return; }
    const next = more ? new Set(state.selected) : new Set();
    if (more && next.has(i)) next.delete(i); else next.add(i);
    this.select(next, next.has(i) ? { vertex: i } : null);
  }
  clear() {
    $("find").value = ""; $("found").textContent = "";
    this.point(null);
    this.select([]);
  }
  toggle(g, open) {
    this.state.open[g] = open === undefined ? !this.state.open[g] : open;
    this.graph.reopen();
    this.later();
  }
  toggleAll(open) {
    this.state.open = this.state.open.map(() => open);
    this.graph.reopen(); this.graph.fit(); this.later();
  }
  reveal(i) {
    const g = this.model.group[i];
    if (!this.state.open[g] && this.model.members[g].length <= 50000) this.toggle(g, true);
    this.graph.fitted = "";
    this.graph.view.x = this.model.x[i]; this.graph.view.y = this.model.y[i];
    this.graph.view.s = Math.max(this.graph.view.s, 8 / this.graph.unit);
    this.table.show(i);
    this.later();
  }

  // words ---------------------------------------------------------------------------------------------------

  chip(g, act) {
    const made = say("button", undefined, "chip");
    made.type = "button";
    made.append(swatch(this.model, g), shown(this.model.facts.groups[g].name));
    made.addEventListener("click", act || (() => this.select(this.model.members[g], { group: g })));
    return made;
  }
  // What the colors mean, with a bar for each: as long as there are objects, and solid for those that are selected.
  legend() {
    const { model, state } = this, { rows, at } = state.key(), all = rows.map(() => 0), some = rows.map(() => 0), chosen = state.selected.size > 1;
    for (let i = 0; i < model.n; i++) { const j = at(i); if (j < rows.length) { all[j]++; if (!chosen || state.selected.has(i)) some[j]++; } }
    const most = Math.max(...all, 1), place = rows.map((_, j) => j).filter(j => all[j]).slice(0, 200);
    if (chosen && state.colorBy === "cluster") place.sort((a, b) => some[b] - some[a] || a - b);
    $("legend").replaceChildren(...place.map(j => {
      const line = say("div"), name = say("button", undefined, "chip"), bar = say("span", undefined, "length"), mark = say("i");
      mark.style.background = rows[j][1];
      name.type = "button"; name.title = `Select ${many(all[j], "object")}`; name.append(mark, shown(rows[j][0]));
      name.addEventListener("click", () => this.select(Array.from(model.group.keys()).filter(i => at(i) === j), state.colorBy === "cluster" ? { group: j } : null));
      bar.style.setProperty("--shade", rows[j][1]); bar.style.setProperty("--part", 100 * some[j] / most + "%"); bar.style.setProperty("--whole", 100 * all[j] / most + "%");
      line.append(name, bar, say("span", chosen ? `${some[j].toLocaleString("en")} of ${all[j].toLocaleString("en")}` : all[j].toLocaleString("en"), "n"));
      return line;
    }));
  }
  heads() {
    const model = this.model, columns = [["name", model.facts.vertex], ["cluster", "cluster"], ...(model.confidence ? [["confidence", "confidence"], ["rival", "rival"]] : [["ties", "edges"]]), ["piece", "island"]];
    $("heads").classList.toggle("few", !model.confidence);
    $("objects").classList.toggle("few", !model.confidence);
    $("heads").replaceChildren(...columns.map(([by, text]) => {
      const b = say("button", text); b.type = "button"; b.dataset.by = by; b.title = "Sort"; b.dataset.way = by === this.table.by ? "↑" : "";
      b.addEventListener("click", () => {
        this.table.up = this.table.by === by ? !this.table.up : true; this.table.by = by;
        for (const other of $("heads").children) other.dataset.way = other.dataset.by === by ? (this.table.up ? "↑" : "↓") : "";
        this.table.sort(); this.table.draw();
      });
      return b;
    }));
  }
  details() {
    const { state, model } = this, box = $("details"), { focus, selected, nothing } = state, { vertex } = model.facts;
    box.replaceChildren();
    if (selected.size > 1 && !(focus && focus.group >= 0)) box.append(say("h3", `${many(selected.size, vertex, vertex === "vertex" ? "vertices" : undefined)} selected`));
    if (focus && focus.vertex >= 0) this.explain(box, focus.vertex);
    else if (focus && focus.group >= 0) this.describe(box, focus.group);
    $("chosen").textContent = nothing ? "none has that in its name" : selected.size === 1 ? `${shown(model.names[[...selected][0]])} is selected` : selected.size ? `${selected.size.toLocaleString("en")} selected` : `all ${model.n.toLocaleString("en")}`;
    $("csv").disabled = !selected.size;
    $("clear").disabled = !selected.size && !focus && !$("find").value;
    this.legend();
  }
  describe(box, g) {
    const { model } = this, group = model.facts.groups[g], head = say("h3");
    head.append(swatch(model, g), `${g < model.facts.clusters ? "Cluster " : ""}${shown(group.name)}: ${many(group.size, model.facts.vertex, model.facts.vertex === "vertex" ? "vertices" : undefined)}`);
    box.append(head);
    if (model.confidence) box.append(say("p", `Mean confidence ${group.confidence.toFixed(2)}; ${many(group.unsure, "is", "are")} below 0.6.`));
    const near = [];
    for (let t = 0; t < model.tie_w.length && near.length < 5; t++) if (model.tie_a[t] === g || model.tie_b[t] === g) near.push([model.tie_a[t] === g ? model.tie_b[t] : model.tie_a[t], model.tie_w[t]]);
    if (near.length) {
      const line = say("p", "Nearest: ");
      for (const [other, w] of near) line.append(this.chip(other), ` ${model.amount(w)}  `);
      line.append(say("span", `(${model.facts.tie})`, "soft"));
      box.append(line);
    }
    const act = say("button", this.state.open[g] ? "Close it" : "Open it"); act.type = "button";
    act.addEventListener("click", () => { this.toggle(g); this.details(); });
    box.append(act);
  }
  explain(box, i) {
    const { model } = this, head = say("h3", shown(model.names[i]) + " ");
    head.append(this.chip(model.group[i]));
    box.append(head);
    const x = model.explained.get(i), facts = [], piece = this.state.pieces.of[i];
    if (model.confidence) facts.push(`Confidence ${(model.confidence[i] / 1000).toFixed(2)}.`);
    facts.push(`Island ${(piece + 1).toLocaleString("en")} at this threshold has ${many(this.state.pieces.size[piece], "member")}.`);
    box.append(say("p", facts.join(" ")));
    if (model.rival && model.rival[i] >= 0) {
      const line = say("p", "Rival: ");
      line.append(this.chip(model.rival[i]));
      if (x) { const gap = model.margin[x.row]; if (gap === gap) line.append(Math.abs(gap) < 5e-3 ? " as often together with it" : ` ${gap > 0 ? "less" : "more"} often together with it, by ${this.model.amount(Math.abs(gap))}`); }
      box.append(line);
    }
    if (x) this.votes(box, i, x);
    else this.near(box, i);
    if (!x && model.facts.explained) box.append(say("p", model.facts.explained, "soft"));
    const known = model.facts.columns.map((column, j) => [column, model["column_" + j][i]]).filter(([column, v]) => (column.values ? v >= 0 : v === v));
    if (known.length) box.append(say("p", known.slice(0, 12).map(([column, v]) => `${shown(column.name)}: ${column.values ? shown(column.values[v]) : number(v)}`).join(" · ")));
  }
  near(box, i) {
    const { model } = this, line = say("p", `Strongest ${model.facts.edge}s: `), edges = model.edgesAt(i).subarray(0, 6);
    if (!edges.length) line.append("none.");
    edges.forEach(e => line.append(this.mate(model.other(e, i)), ` ${model.amount(model.weight[e])}  `));
    box.append(line);
  }
  mate(j) {
    const made = say("button", shown(j < this.model.n ? this.model.names[j] : this.model.facts.more_names[j - this.model.n]), "mate");
    made.type = "button";
    if (j < this.model.n) made.addEventListener("click", () => { this.pick(j); this.reveal(j); }); else made.disabled = true;
    return made;
  }
  votes(box, i, x) {
    const { model } = this, { partitions, vote_labels: words } = model.facts, own = model.group[i], rows = [];
    if (x.last > x.mates) {
      const line = say("p", "Most often with: ");
      for (let j = x.mates; j < x.last; j++) line.append(this.mate(model.mate[j]), ` ${Math.round(model.mate_share[j] / 2)}%  `);
      box.append(line);
    }
    let present = 0, agree = 0;
    const squares = say("div", undefined, "squares"), percent = share => model.facts.share ? model.amount(share) : Math.round(100 * share) + "%";
    partitions.forEach((name, t) => {
      const at = x.first + t, label = model.vote_label[at], to = model.vote_cluster[at], square = say("i"), against = to >= 0 && to !== own;
      const told = label < 0 ? "absent" : `label ${shown(words[label])}${to >= 0 ? `, votes for cluster ${shown(model.facts.groups[to].name)}` : ""}`;
      square.title = `${shown(name)}: ${told}`;
      if (to >= 0) square.style.background = model.facts.groups[to].color;
      square.className = to < 0 ? "none" : against ? "against" : "";
      squares.append(square);
      if (label >= 0) { present++; if (to === own) agree++; }
      if (against || model.deciding[at]) rows.push(`${shown(name)}${model.deciding[at] ? " ★" : ""}: ${told} (${percent(model.vote_share[at] / 200)} with its own)`);
    });
    box.append(say("p", `${agree} of ${many(present, model.facts.share.slice(0, -1))} put it with its cluster; each square is a vote.`), squares);
    if (!rows.length) return;
    const scroll = say("div", undefined, "votes"), list = say("ul"); scroll.tabIndex = 0;
    list.append(...rows.map(row => say("li", row)));
    scroll.append(list);
    box.append(scroll);
    if (rows.some(row => row.includes(" ★:"))) box.append(say("p", "★ Without this clustering, another cluster would be closer.", "soft"));
  }
  tip(spot) {
    const { model, state } = this, lines = [];
    if (spot.vertex >= 0) {
      const i = spot.vertex;
      lines.push(shown(model.names[i]), `cluster ${shown(model.facts.groups[model.group[i]].name)}` + (model.confidence ? `, confidence ${(model.confidence[i] / 1000).toFixed(2)}` : ""));
      const near = Array.from(model.edgesAt(i).subarray(0, 4), e => `${short(model.names[model.other(e, i)], 20)} ${model.amount(model.weight[e])}`);
      if (near.length) lines.push(`strongest ${model.facts.edge}s: ${near.join(", ")}`);
    } else if (spot.group >= 0) {
      const group = model.facts.groups[spot.group];
      lines.push(`${spot.group < model.facts.clusters ? "cluster " : ""}${shown(group.name)}`, many(group.size, "object"));
      lines.push(`in its largest island: ${Math.round(100 * state.core(spot.group))}%`, state.open[spot.group] ? "click to close" : "click to open");
    } else if (spot.node !== undefined) {
      lines.push(many(model.end[spot.node] - model.begin[spot.node], "object"), "click to select them");
    } else lines.push(`${model.facts.heatOf} ${spot.value === 255 ? "unknown" : model.amount(spot.value / 254 * model.facts.heatMost)}`,
      `clusters ${shown(model.facts.groups[model.heat_group[spot.row]].name)} and ${shown(model.facts.groups[model.heat_group[spot.column]].name)}`);
    return lines;
  }

  // hands ---------------------------------------------------------------------------------------------------

  controls() {
    $("threshold").addEventListener("input", () => { this.play(false); this.setThreshold($("threshold").value); this.stopped = this.state.theta; });
    $("play").addEventListener("click", () => this.play(!this.run));
    $("by").addEventListener("change", () => { this.state.colorBy = $("by").value; this.moved(); this.legend(); });
    $("all").addEventListener("click", () => this.toggleAll(true));
    $("contract").addEventListener("click", () => this.toggleAll(false));
    $("fit").addEventListener("click", () => { this.graph.fit(); this.later(); });
    $("clear").addEventListener("click", () => this.clear());
    $("find").addEventListener("input", () => this.find($("find").value));
    $("search").addEventListener("submit", event => { event.preventDefault(); this.find($("find").value); for (const i of [...this.state.selected].slice(0, 1)) this.reveal(i); });
    $("svg").addEventListener("click", () => { const pen = new Pen(...this.graph.size); this.graph.copy(pen, 20000); this.save(new Blob([pen.text()], { type: "image/svg+xml" }), "graph.svg"); });
    $("png").addEventListener("click", () => {
      const [w, h] = this.graph.size, canvas = document.createElement("canvas"), ctx = (canvas.width = 2 * w, canvas.height = 2 * h, canvas.getContext("2d"));
      ctx.setTransform(2, 0, 0, 2, 0, 0);
      this.graph.copy(ctx, Infinity);
      canvas.toBlob(blob => this.save(blob, "graph.png"));
    });
    $("csv").addEventListener("click", () => this.save(new Blob([this.rows()], { type: "text/csv" }), "selection.csv"));
  }
  rows() {
    const { model, state } = this, quote = text => /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    const lines = [[model.facts.vertex, "cluster", ...(model.confidence ? ["confidence"] : []), "island"].join(",")];
    for (const i of [...state.selected].sort((a, b) => a - b)) lines.push([quote(model.names[i]), quote(model.facts.groups[model.group[i]].name), ...(model.confidence ? [model.confidence[i] / 1000] : []), state.pieces.of[i] + 1].join(","));
    return lines.join("\n") + "\n";
  }
  save(blob, name) {
    const link = say("a");
    link.href = URL.createObjectURL(blob); link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  find(text) {
    const found = this.model.find(text);
    this.select(found);
    this.state.nothing = Boolean(text) && !found.length;
    $("found").textContent = text ? `${many(found.length, "match", "matches")}` : "";
    if (this.state.nothing) this.shown();
    return found.map(i => this.model.names[i]);
  }

  pointing() {
    const box = $("graph"), down = new Map(), place = event => { const r = box.getBoundingClientRect(); return [event.clientX - r.left, event.clientY - r.top]; };
    let moved = 0, square = null;
    box.addEventListener("pointerdown", event => {
      box.setPointerCapture(event.pointerId); down.set(event.pointerId, place(event)); moved = 0;
      square = event.shiftKey && down.size === 1 ? place(event) : null;
    });
    box.addEventListener("pointermove", event => {
      const [x, y] = place(event), before = down.get(event.pointerId);
      if (!before) { this.point(this.graph.at(x, y), event); return; }
      moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
      if (square) { this.frame(square, [x, y]); return; }
      if (down.size === 2) {
        const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at), length = at => Math.hypot(at[0] - other[0], at[1] - other[1]);
        this.graph.zoom(length([x, y]) / Math.max(length(before), 1), (x + other[0]) / 2, (y + other[1]) / 2);
      } else { this.graph.fitted = ""; this.graph.view.x -= (x - before[0]) / this.graph.view.s; this.graph.view.y -= (y - before[1]) / this.graph.view.s; }
      down.set(event.pointerId, [x, y]);
      this.later();
    });
    const up = event => {
      const at = place(event), was = down.delete(event.pointerId);
      if (square && moved > 6) { this.frame(null); this.select([...(event.ctrlKey ? this.state.selected : []), ...this.graph.within(...square, ...at)]); }
      else if (was && moved <= 6 && event.type === "pointerup") this.click(this.graph.at(...at), event.shiftKey || event.ctrlKey || event.metaKey);
      square = null;
    };
    box.addEventListener("pointerup", up);
    box.addEventListener("pointercancel", up);
    box.addEventListener("pointerleave", () => this.point(null));
    box.addEventListener("wheel", event => { event.preventDefault(); this.graph.zoom(Math.exp(-event.deltaY * .0015), ...place(event)); this.later(); }, { passive: false });
    this.cutting();
    this.other($("tree"), this.tree, (spot, event) => this.slid || this.select([...(event.shiftKey ? this.state.selected : []), ...this.tree.leaves(spot.node)]));
    if (this.heat) this.other($("heat"), this.heat, spot => {
      const wanted = new Set([spot.row, spot.column]);
      this.select(Array.from({ length: this.model.n }, (_, i) => i).filter(i => wanted.has(this.model.block[i])));
    });
  }
  // The cut of the tree is a handle: whoever takes it moves the threshold.
  cutting() {
    const canvas = $("tree"), y = event => event.clientY - canvas.getBoundingClientRect().top, near = event => Math.abs(y(event) - this.tree.y(this.state.theta)) < 7;
    let held = false;
    canvas.addEventListener("pointerdown", event => { held = near(event); this.slid = false; if (held) canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", event => {
      canvas.style.cursor = held || near(event) ? "ns-resize" : "pointer";
      if (held) { this.slid = true; this.setThreshold(this.tree.threshold(y(event))); }
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = false; });
  }
  other(canvas, view, act) {
    const at = event => { const r = canvas.getBoundingClientRect(); return view.at(event.clientX - r.left, event.clientY - r.top); };
    canvas.addEventListener("pointermove", event => this.point(at(event), event));
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("click", event => { const spot = at(event); if (spot) act(spot, event); });
  }
  point(spot, event) {
    const tip = $("tip"), before = this.state.hover;
    this.state.hover = spot && (spot.vertex !== undefined) ? spot : null;
    tip.hidden = !spot;
    if (spot) {
      tip.replaceChildren(...this.tip(spot).map(line => say("div", line)));
      const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8), below = event.clientY + 18;
      tip.style.left = Math.max(left, 4) + "px";
      tip.style.top = (below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below) + "px";
    }
    if (JSON.stringify(before) !== JSON.stringify(this.state.hover)) this.later();
  }
  frame(from, to) {
    const mark = $("square");
    mark.hidden = !from;
    if (from) Object.assign(mark.style, { left: Math.min(from[0], to[0]) + "px", top: Math.min(from[1], to[1]) + "px", width: Math.abs(from[0] - to[0]) + "px", height: Math.abs(from[1] - to[1]) + "px" });
  }
  click(spot, more) {
    if (!spot) { if (!more) this.select([]); return; }
    if (spot.vertex >= 0) { this.pick(spot.vertex, more); return; }
    if (more) { this.select([...this.state.selected, ...this.model.members[spot.group]], { group: spot.group }); return; }
    this.toggle(spot.group);
    this.state.focus = { group: spot.group };
    this.details();
  }
  keys() {
    $("graph").addEventListener("keydown", event => {
      const [w, h] = this.graph.size, step = 40 / this.graph.view.s, move = (x, y) => { this.graph.fitted = ""; this.graph.view.x += x; this.graph.view.y += y; };
      const act = {
        ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step),
        "+": () => this.graph.zoom(1.25, w / 2, h / 2), "=": () => this.graph.zoom(1.25, w / 2, h / 2), "-": () => this.graph.zoom(.8, w / 2, h / 2), 0: () => this.graph.fit(),
        a: () => $("all").hidden || this.toggleAll(true), c: () => this.toggleAll(false), n: () => this.step(1), p: () => this.step(-1),
        Enter: () => { if (this.state.hover) this.click(this.state.hover, event.shiftKey); },
      }[event.key];
      if (act && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); this.later(); }
    });
    $("objects").addEventListener("keydown", event => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key], { table } = this;
      if (step) { event.preventDefault(); table.show(table.list[Math.min(Math.max(table.active + step, 0), table.list.length - 1)]); }
      else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.pick(table.list[table.active], event.shiftKey); this.reveal(table.list[table.active]); }
    });
    addEventListener("keydown", event => {
      if (event.key === "Escape") this.clear();
      if (event.key === "/" && document.activeElement.tagName !== "INPUT") { event.preventDefault(); $("find").focus(); }
    });
  }
  /** Go to the next cluster, or in an open graph to the next vertex, as a mouse would point at it. */
  step(way) {
    const { state, graph } = this, list = [...state.open.keys()].filter(g => !state.open[g]).map(g => ({ vertex: -1, group: g })).concat(Array.from(graph.vertices, i => ({ vertex: i, group: -1 })));
    this.stop = ((this.stop === undefined ? (way > 0 ? -1 : 0) : this.stop) + way + list.length) % list.length;
    const spot = list[this.stop], X = spot.vertex >= 0 ? this.model.x[spot.vertex] : this.model.center_x[spot.group], Y = spot.vertex >= 0 ? this.model.y[spot.vertex] : this.model.center_y[spot.group];
    const [x, y] = graph.screen(X, Y), box = $("graph").getBoundingClientRect();
    this.point(spot, { clientX: box.left + x, clientY: box.top + y });
  }
}

window.graphens = {
  ready: (async () => {
    theme();
    css.single = "#b8b8b8";
    const model = new Model(...await unpack($("data").textContent)), page = new Page(model);
    Object.assign(window.graphens, {
      state: () => ({
        threshold: page.state.theta, edges: model.edges(page.state.theta), components: model.components(page.state.theta),
        selected: [...page.state.selected].sort((a, b) => a - b).map(i => model.names[i]),
      }),
      setThreshold: x => page.setThreshold(x),
      select: names => { const wanted = new Set(Array.from(names, String)); page.select(Array.from(model.group.keys()).filter(i => wanted.has(model.names[i]))); },
      find: text => page.find(String(text)),
    });
    page.draw();
    document.documentElement.classList.add("ready");
  })(),
};
window.graphens.ready.catch(error => { $("trouble").hidden = false; $("trouble").textContent = `This page could not be drawn: ${error.message}. Use a browser from 2023 or later.`; });
