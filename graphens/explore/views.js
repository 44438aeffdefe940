// Four views of one state: the graph, the tree of single links, the heat map, and the table of objects.
// Each has draw(); a view that can be pointed at has at(x, y), which says what is there.

const TAU = 2 * Math.PI;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const shown = text => String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
const short = (text, most) => { const s = shown(text); return s.length > most ? s.slice(0, most - 1) + "…" : s; };
const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255);
const isDark = hex => { const [r, g, b] = channels(hex); return .2126 * r ** 2.2 + .7152 * g ** 2.2 + .0722 * b ** 2.2 < .25; };

/** The corners of the smallest convex area around points, in their order. */
function hull(points) {
  const list = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]), turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = line => line.reduce((corners, p) => { while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), p) <= 0) corners.pop(); corners.push(p); return corners; }, []).slice(0, -1);
  return list.length < 3 ? list : [...half(list), ...half(list.reverse())];
}

/** Fit a canvas to its box on the screen and return its context, one unit per CSS pixel. */
function prepared(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ctx;
}

/** Writes SVG where a canvas would paint: the few calls that the views make. */
class Pen {
  constructor(width, height) {
    Object.assign(this, { width, height, parts: [], path: "", globalAlpha: 1, lineWidth: 1, textAlign: "left", textBaseline: "alphabetic" });
  }
  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${x.toFixed(1)} ${y.toFixed(1)}`; }
  lineTo(x, y) { this.path += `L${x.toFixed(1)} ${y.toFixed(1)}`; }
  arc(x, y, r) { const d = r.toFixed(1); this.path += `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${d} ${d} 0 1 0 ${(2 * r).toFixed(1)} 0a${d} ${d} 0 1 0 ${(-2 * r).toFixed(1)} 0`; }
  rect(x, y, w, h) { this.path += `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`; }
  put(style) { if (this.path) this.parts.push(`<path d="${this.path}" ${style} opacity="${this.globalAlpha.toFixed(3)}"/>`); }
  fill() { this.put(`fill="${this.fillStyle}"`); }
  stroke() { this.put(`fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth.toFixed(2)}"`); }
  words(text, x, y, style) {
    const anchor = { center: "middle", right: "end" }[this.textAlign] || "start", size = parseFloat(this.font.match(/([\d.]+)px/)[1]);
    const safe = text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`), down = this.textBaseline === "middle" ? size * .35 : 0;
    this.parts.push(`<text x="${x.toFixed(1)}" y="${(y + down).toFixed(1)}" text-anchor="${anchor}" font-size="${size}" font-weight="${/bold|600/.test(this.font) ? 600 : 400}" ${style}>${safe}</text>`);
  }
  fillText(text, x, y) { this.words(text, x, y, `fill="${this.fillStyle}"`); }
  strokeText(text, x, y) { this.words(text, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round"`); }
  fillRect(x, y, w, h) { this.beginPath(); this.rect(x, y, w, h); this.fill(); }
  text() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" font-family="system-ui, sans-serif">${this.parts.join("")}</svg>`;
  }
}

/** Edges and members by WebGL2: all edges lie in one buffer by falling weight, so a threshold is how many are drawn. */
class Painter {
  static on(canvas, antialias) {
    const gl = canvas.getContext("webgl2", { antialias, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
    return gl ? new Painter(gl) : null;
  }
  constructor(gl) {
    this.gl = gl;
    this.pixel = new Uint8Array(4);
    const shader = (kind, source) => { const s = gl.createShader(kind); gl.shaderSource(s, "#version 300 es\n" + source); gl.compileShader(s); return s; };
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, `
      in vec2 place; in vec4 paint; uniform vec4 view; uniform vec2 point; uniform float depth; out vec4 ink; out float square;
      void main() { gl_Position = vec4((place - view.xy) * view.zw, depth, 1.0); gl_PointSize = point.x; ink = vec4(paint.rgb, 1.0); square = paint.a; }`));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `precision mediump float;
      in vec4 ink; in float square; uniform float alpha; uniform float round; uniform float rim; out vec4 color;
      void main() { float edge = 1.0, light = 0.0;
        vec2 from = abs(gl_PointCoord - 0.5); float d = square < 0.5 ? length(from) : max(from.x, from.y);
        if (round > 0.5) { if (d > 0.5) discard; edge = clamp((0.5 - d) * round * 0.9, 0.0, 1.0); if (round > 6.0 && (0.5 - d) * round < 1.6) light = rim; }
        color = vec4(mix(ink.rgb, vec3(1.0), light) * alpha * edge, alpha * edge); }`));
    gl.linkProgram(program);
    gl.useProgram(program);
    this.at = name => gl.getUniformLocation(program, name);
    [this.places, this.paints, this.lines, this.points] = [0, 0, 0, 0].map(() => gl.createBuffer());
    for (const [name, buffer, size, kind, scaled] of [["place", this.places, 2, gl.FLOAT, false], ["paint", this.paints, 4, gl.UNSIGNED_BYTE, true]]) {
      const slot = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, size, kind, scaled, 0, 0);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }
  fill(buffer, data, kind) { this.gl.bindBuffer(kind, buffer); this.gl.bufferData(kind, data, this.gl.DYNAMIC_DRAW); }
  place(data) { this.fill(this.places, data, this.gl.ARRAY_BUFFER); }
  paint(data) { this.fill(this.paints, data, this.gl.ARRAY_BUFFER); }
  keep(edges, vertices) {
    this.fill(this.lines, edges, this.gl.ELEMENT_ARRAY_BUFFER);
    this.fill(this.points, vertices, this.gl.ELEMENT_ARRAY_BUFFER);
    this.many = vertices.length;
  }
  clear(width, height, view) {
    const gl = this.gl, ratio = window.devicePixelRatio || 1, w = Math.round(width * ratio), h = Math.round(height * ratio);
    if (gl.canvas.width !== w || gl.canvas.height !== h) { gl.canvas.width = w; gl.canvas.height = h; }
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniform4f(this.at("view"), view.x, view.y, 2 * view.s / width, -2 * view.s / height);
  }
  dots(radius) {
    const gl = this.gl, size = 2 * radius * (window.devicePixelRatio || 1);
    gl.uniform2f(this.at("point"), size, 0); gl.uniform1f(this.at("depth"), -.5); gl.uniform1f(this.at("alpha"), 1); gl.uniform1f(this.at("round"), size); gl.uniform1f(this.at("rim"), isDark(css.paper) ? .45 : 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.points);
    gl.drawElements(gl.POINTS, this.many, gl.UNSIGNED_INT, 0);
  }
  strokes(from, to, alpha) {
    const gl = this.gl;
    gl.uniform1f(this.at("depth"), .5); gl.uniform1f(this.at("alpha"), alpha); gl.uniform1f(this.at("round"), 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.lines);
    gl.drawElements(gl.LINES, 2 * (to - from), gl.UNSIGNED_INT, 8 * from);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, this.pixel);  // waits, so that the time it took is known
  }
}

class GraphView {
  constructor(box, model, state) {
    Object.assign(this, { box, model, state });
    [this.low, this.middle, this.high] = box.querySelectorAll("canvas");
    this.painter = Painter.on(this.middle, model.m < 20000);
    this.step = 1000;
    this.place = new Float32Array(2 * model.n);
    this.view = { x: 0, y: 0, s: 1 };
    this.unit = Math.min(...Array.from(model.radius, (r, g) => r / Math.sqrt(Math.max(model.members[g].length, 1))));
    this.reopen();
  }

  get size() { return [this.box.clientWidth, this.box.clientHeight]; }
  screen(x, y) { const [w, h] = this.size; return [(x - this.view.x) * this.view.s + w / 2, (y - this.view.y) * this.view.s + h / 2]; }
  world(x, y) { const [w, h] = this.size; return [(x - w / 2) / this.view.s + this.view.x, (y - h / 2) / this.view.s + this.view.y]; }
  get dot() { return Math.min(Math.max(.55 * this.unit * this.view.s, 1.1), 13); }

  fit(groups) {
    const { center_x: X, center_y: Y, radius: R } = this.model, list = groups || this.model.facts.groups.map((_, g) => g);
    let [a, b, c, d] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const g of list) { a = Math.min(a, X[g] - R[g]); b = Math.min(b, Y[g] - R[g]); c = Math.max(c, X[g] + R[g]); d = Math.max(d, Y[g] + R[g]); }
    const all = list => list.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
    if (!groups && this.model.facts.placed) [[a, c], [b, d]] = [all(this.model.x), all(this.model.y)];
    const [w, h] = this.size;
    this.fitted = groups ? "" : this.size.join();
    this.view = { x: (a + c) / 2, y: (b + d) / 2, s: Math.max(Math.min((w - 96) / Math.max(c - a, 1), (h - 84) / Math.max(d - b, 1)), 1e-4) };
    if (!groups) this.whole = this.view.s;
  }

  zoom(factor, px, py) {
    this.fitted = "";
    const [x, y] = this.world(px, py);
    this.view.s = Math.min(Math.max(this.view.s * factor, 1e-4), 1e3);
    const [X, Y] = this.world(px, py);
    this.view.x += x - X; this.view.y += y - Y;
  }

  // After a cluster was opened or closed: members of a closed one all stand in its middle, and its own edges are no lines.
  reopen() {
    const { model, state } = this, vertices = [], edges = [];
    for (let i = 0; i < model.n; i++) {
      const g = model.group[i], open = state.open[g];
      this.place[2 * i] = open ? model.x[i] : model.center_x[g];
      this.place[2 * i + 1] = open ? model.y[i] : model.center_y[g];
      if (open) vertices.push(i);
    }
    if (vertices.length) for (let e = 0; e < model.m; e++) if (state.open[model.group[model.source[e]]] || state.open[model.group[model.target[e]]]) edges.push(e);
    this.vertices = Uint32Array.from(vertices);
    this.lines = Uint32Array.from(edges);
    this.lineWeights = Float64Array.from(edges, e => model.weight[e]);
    if (!this.painter) return;
    const ends = new Uint32Array(2 * edges.length);
    edges.forEach((e, j) => { ends[2 * j] = model.source[e]; ends[2 * j + 1] = model.target[e]; });
    this.painter.place(this.place);
    this.painter.keep(ends, this.vertices);
  }

  recolor() {
    if (!this.painter) return;
    const bytes = new Uint8Array(4 * this.model.n);
    for (let i = 0; i < this.model.n; i++) {
      const hex = this.state.color(i);
      for (let j = 0; j < 3; j++) bytes[4 * i + j] = parseInt(hex.slice(1 + 2 * j, 3 + 2 * j), 16);
      bytes[4 * i + 3] = this.model.role && this.model.role[i] ? 255 : 0;
    }
    this.painter.paint(bytes);
  }

  /** Draw all at once but for edges, which come strongest first, as many per frame as a frame has time for. */
  draw() {
    if (this.fitted && this.fitted !== this.size.join()) this.fit();
    const [w, h] = this.size, low = prepared(this.low, w, h), high = prepared(this.high, w, h);
    low.clearRect(0, 0, w, h); high.clearRect(0, 0, w, h);
    this.below(low);
    const count = above(this.lineWeights, this.state.theta), all = this.model.facts.faint ? this.lines.length : count, alpha = this.alpha(count);
    if (this.painter) { this.painter.clear(w, h, this.view); if (this.vertices.length) this.painter.dots(this.dot); }
    else { const middle = prepared(this.middle, w, h); middle.clearRect(0, 0, w, h); this.dots(middle); }
    this.above(high);
    const turn = this.turn = {};
    const more = from => {
      if (this.turn !== turn) return;
      const begin = performance.now();
      let to = from, spent = 0;
      while (to < all && spent < 6) {
        const next = Math.min(to + this.step, to < count ? count : all), strength = to < count ? alpha : .8 * this.alpha(all);
        if (this.painter) this.painter.strokes(to, next, strength); else this.strokes(low, to, next, strength);
        to = next;
        spent = performance.now() - begin;
      }
      if (to - from > 100) this.step = Math.min(Math.max(Math.round(5 * (to - from) / Math.max(spent, .1)), 100), 50000);
      if (to < all) requestAnimationFrame(() => more(to));
    };
    more(0);
  }

  alpha(count) { return Math.min(Math.max(900 / Math.max(count, 1), .07), .55); }

  // Islands of a map, halos of open clusters, and what is cut between clusters that are not both open.
  below(ctx) {
    const { model, state } = this, { tie_a: A, tie_b: B, tie_w: W } = model, line = css("--edge");
    if (model.facts.placed === "map") this.islands(ctx);
    state.open.forEach((open, g) => {
      if (!open || model.facts.placed) return;
      const [x, y] = this.screen(model.center_x[g], model.center_y[g]);
      ctx.globalAlpha = .13; ctx.fillStyle = model.facts.groups[g].color;
      ctx.beginPath(); ctx.arc(x, y, model.radius[g] * this.view.s * 1.03, 0, TAU); ctx.fill();
    });
    const most = W.length ? W[0] : 1;
    for (let t = W.length - 1; t >= 0; t--) {
      if (state.open[A[t]] && state.open[B[t]]) continue;
      const [x, y] = this.screen(model.center_x[A[t]], model.center_y[A[t]]), [X, Y] = this.screen(model.center_x[B[t]], model.center_y[B[t]]);
      ctx.globalAlpha = state.tied(t) ? .6 : .16; ctx.strokeStyle = line; ctx.lineWidth = .8 + 6.5 * W[t] / most;
      ctx.beginPath(); ctx.moveTo(x, y); ctx.lineTo(X, Y); ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  // The area of every island of a map: as the threshold falls, areas grow together.
  islands(ctx) {
    const { pieces, tint } = this.state, members = pieces.size.map(() => []), pad = this.dot + 7;
    for (const i of this.vertices) if (pieces.size[pieces.of[i]] > 1) members[pieces.of[i]].push(i);
    ctx.globalAlpha = .1;
    members.forEach((list, p) => {
      if (!list.length) return;
      const corners = hull(list.map(i => this.screen(this.place[2 * i], this.place[2 * i + 1])));
      const around = hull(corners.flatMap(([x, y]) => Array.from({ length: 12 }, (_, j) => [x + pad * Math.cos(j * TAU / 12), y + pad * Math.sin(j * TAU / 12)])));
      ctx.fillStyle = tint[p]; ctx.beginPath(); ctx.moveTo(...around[0]);
      for (const corner of around.slice(1)) ctx.lineTo(...corner);
      ctx.fill();
    });
    ctx.globalAlpha = 1;
  }

  strokes(ctx, from, to, alpha) {
    const { model, place } = this, paths = new Map();
    for (let j = from; j < to; j++) {
      const e = this.lines[j], a = model.source[e], b = model.target[e], color = this.state.color(a) === this.state.color(b) ? this.state.color(a) : css.edge;
      if (!paths.has(color)) paths.set(color, []);
      paths.get(color).push(a, b);
    }
    ctx.globalAlpha = alpha; ctx.lineWidth = 1;
    for (const [color, ends] of paths) {
      ctx.strokeStyle = color; ctx.beginPath();
      for (let j = 0; j < ends.length; j += 2) {
        ctx.moveTo(...this.screen(place[2 * ends[j]], place[2 * ends[j] + 1]));
        ctx.lineTo(...this.screen(place[2 * ends[j + 1]], place[2 * ends[j + 1] + 1]));
      }
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  dots(ctx) {
    const r = this.dot, [w, h] = this.size, byColor = new Map();
    for (const i of this.vertices) {
      const [x, y] = this.screen(this.place[2 * i], this.place[2 * i + 1]);
      if (x < -r || y < -r || x > w + r || y > h + r) continue;
      const color = this.state.color(i);
      if (!byColor.has(color)) byColor.set(color, []);
      byColor.get(color).push(x, y, this.model.role && this.model.role[i]);
    }
    for (const [color, list] of byColor) {
      ctx.fillStyle = color; ctx.beginPath();
      for (let j = 0; j < list.length; j += 3) {
        if (list[j + 2] || r < 2) ctx.rect(list[j] - r, list[j + 1] - r, 2 * r, 2 * r);
        else { ctx.moveTo(list[j] + r, list[j + 1]); ctx.arc(list[j], list[j + 1], r, 0, TAU); }
      }
      ctx.fill();
    }
  }

  // Closed clusters with their numbers, what is selected or pointed at, and names where there is room.
  above(ctx) {
    const { model, state } = this, ink = css("--ink"), paper = css("--paper"), chosen = state.chosenIn();
    ctx.textAlign = "center"; ctx.textBaseline = "middle";
    const taken = [], r = this.dot + 2.5;
    model.facts.groups.forEach((group, g) => {
      const [x, y] = this.screen(model.center_x[g], model.center_y[g]), R = Math.max(model.radius[g] * this.view.s, 3);
      if (!state.open[g]) { this.disc(ctx, group, g, x, y, R, chosen[g], ink, paper); return; }
      if (model.facts.groups.length < 2 || !model.members[g].length || (!model.facts.placed && R <= 12)) return;
      const text = short(group.name, 24), font = model.facts.groups.length > 20 ? 12 : 14, half = text.length * .29 * font, spots = [[x, model.facts.placed ? y : y - R - 10]];
      if (model.facts.placed === "map") {  // beside the outermost member, or else in the middle
        const i = model.outermost[g], [X, Y] = this.screen(model.x[i], model.y[i]), [mx, my] = this.screen(...model.middle), far = Math.max(Math.hypot(X - mx, Y - my), 1);
        spots.unshift([X + (X - mx) / far * (r + 18), Y + (Y - my) / far * (r + 18)]);
      }
      const spot = spots.find(([x, y]) => !taken.some(([X, Y, H]) => Math.abs(X - x) < H + half && Math.abs(Y - y) < font));
      if (!spot) return;
      ctx.font = `700 ${font}px system-ui, sans-serif`; ctx.lineWidth = 4; ctx.strokeStyle = paper; ctx.fillStyle = ink;
      taken.push([...spot, half]);
      ctx.strokeText(text, ...spot); ctx.fillText(text, ...spot);
    });
    if (model.confidence && model.facts.placed && r > 5) {
      ctx.strokeStyle = ink; ctx.lineWidth = 1; ctx.beginPath();
      for (const i of this.vertices) if (model.confidence[i] < UNSURE) this.ring(ctx, i, this.dot);
      ctx.stroke();
    }
    ctx.strokeStyle = ink; ctx.lineWidth = 2; ctx.beginPath();
    for (const i of this.vertices) if (state.selected.has(i)) this.ring(ctx, i, r);
    ctx.stroke();
    if (state.hover && state.hover.vertex >= 0 && state.open[model.group[state.hover.vertex]]) this.ties(ctx, state.hover.vertex, ink, r);
    this.names(ctx, ink, paper, taken);
  }

  ring(ctx, i, r) {
    const [x, y] = this.screen(this.place[2 * i], this.place[2 * i + 1]);
    ctx.moveTo(x + r, y); ctx.arc(x, y, r, 0, TAU);
  }

  ties(ctx, i, ink, r) {
    ctx.strokeStyle = ink; ctx.lineWidth = 1.2; ctx.globalAlpha = .8; ctx.beginPath();
    for (const e of this.model.edgesAt(i).subarray(0, 40)) {
      if (this.model.weight[e] <= this.state.theta + SLACK) break;
      const j = this.model.other(e, i);
      ctx.moveTo(...this.screen(this.place[2 * i], this.place[2 * i + 1])); ctx.lineTo(...this.screen(this.place[2 * j], this.place[2 * j + 1]));
    }
    ctx.stroke(); ctx.globalAlpha = 1; ctx.lineWidth = 2.5; ctx.beginPath(); this.ring(ctx, i, r); ctx.stroke();
  }

  // A disc has as much area as its cluster has members; the solid part is its largest piece at the threshold.
  disc(ctx, group, g, x, y, R, chosen, ink, paper) {
    const core = Math.sqrt(this.state.core(g)) * R;
    ctx.beginPath(); ctx.arc(x, y, R, 0, TAU); ctx.fillStyle = paper; ctx.fill();
    ctx.globalAlpha = .35; ctx.fillStyle = group.color; ctx.fill(); ctx.globalAlpha = 1;
    ctx.beginPath(); ctx.arc(x, y, core, 0, TAU); ctx.fill();
    const hovered = this.state.hover && this.state.hover.group === g;
    ctx.beginPath(); ctx.arc(x, y, R, 0, TAU); ctx.strokeStyle = chosen || hovered ? ink : group.color; ctx.lineWidth = chosen || hovered ? 3 : 1.2; ctx.stroke();
    if (R < 8) return;
    const font = Math.min(Math.max(R * .42, 11), 20), solid = core > .6 * R;
    ctx.fillStyle = solid ? (isDark(group.color) ? "#ffffff" : "#111111") : ink;
    ctx.font = `600 ${font.toFixed(0)}px system-ui, sans-serif`;
    ctx.fillText(short(group.name, Math.max(3, Math.floor(2 * R / font / .55))), x, R > 24 ? y - font * .35 : y);
    ctx.font = "11px system-ui, sans-serif";
    if (R > 24) ctx.fillText(group.size.toLocaleString("en"), x, y + font * .75);
  }

  // What is selected, then the least certain of each cluster: 20 names, and more as one comes closer.
  names(ctx, ink, paper, taken) {
    const [w, h] = this.size, { model, state } = this, zoom = this.view.s / this.whole;
    const most = taken.length + (this.vertices.length <= 60 ? 60 : Math.min(Math.round(20 * zoom * zoom), 250));
    const list = this.vertices.length ? [...model.telling.filter(i => state.selected.has(i)).slice(0, 30), ...model.telling] : [];
    ctx.font = "11px system-ui, sans-serif"; ctx.lineWidth = 3; ctx.strokeStyle = paper; ctx.fillStyle = ink;
    for (const i of list) {
      if (taken.length >= most) break;
      if (!state.open[model.group[i]]) continue;
      const [x, y] = this.screen(this.place[2 * i], this.place[2 * i + 1]), below = y + this.dot + 8;
      if (x < 0 || y < 0 || x > w || below > h - 6) continue;
      const text = short(model.names[i], 18), half = text.length * 3.2;
      if (x < half || x > w - half || taken.some(([X, Y, H]) => Math.abs(X - x) < H + half && Math.abs(Y - below) < 13)) continue;
      taken.push([x, below, half]);
      ctx.strokeText(text, x, below); ctx.fillText(text, x, below);
    }
  }

  /** The same picture by another pen: a canvas of its own, or SVG. */
  copy(ctx, most) {
    const [w, h] = this.size;
    ctx.fillStyle = css("--paper"); ctx.globalAlpha = 1; ctx.fillRect(0, 0, w, h);
    this.below(ctx);
    const count = above(this.lineWeights, this.state.theta);
    this.strokes(ctx, 0, Math.min(count, most), this.alpha(count));
    this.dots(ctx);
    this.above(ctx);
  }

  at(px, py) {
    const reach = Math.max(this.dot + 3, 7), { model } = this;
    let best = -1, near = reach * reach;
    for (const i of this.vertices) {
      const [x, y] = this.screen(this.place[2 * i], this.place[2 * i + 1]), d = (x - px) ** 2 + (y - py) ** 2;
      if (d < near) { near = d; best = i; }
    }
    if (best >= 0) return { vertex: best, group: -1 };
    let group = -1;
    model.facts.groups.forEach((_, g) => {
      const [x, y] = this.screen(model.center_x[g], model.center_y[g]);
      if (Math.hypot(x - px, y - py) <= Math.max(model.radius[g] * this.view.s, 8) && !(this.state.open[g] && model.facts.placed)) group = g;
    });
    return group >= 0 ? { vertex: -1, group } : null;
  }

  within(a, b, c, d) {
    return Array.from(this.vertices).filter(i => {
      const [x, y] = this.screen(this.place[2 * i], this.place[2 * i + 1]);
      return x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d);
    });
  }
}

/** Single links as an icicle: a node is as wide as it has leaves and lives between two thresholds; the cut moves through. */
class TreeView {
  constructor(canvas, model, state) { Object.assign(this, { canvas, model, state }); }
  get size() { return [this.canvas.clientWidth, this.canvas.clientHeight]; }
  y(weight) {
    const { lowest, highest } = this.model.facts, [, h] = this.size;
    return 6 + (h - 30) * (Math.min(Math.max(weight, lowest), highest) - lowest) / (highest - lowest);
  }
  threshold(py) { const { lowest, highest } = this.model.facts, [, h] = this.size; return lowest + (highest - lowest) * Math.min(Math.max((py - 6) / (h - 30), 0), 1); }

  /** The nodes that are wide enough to be seen; of single leaves narrower than that, some. */
  visible(wide) {
    if (this.wide === wide) return this.nodes;
    const { model } = this, every = Math.ceil(.5 * model.n / wide);
    this.wide = wide;
    this.nodes = [];
    for (let node = model.n + model.children.length - 1; node >= 0; node--) {
      const width = wide * (model.end[node] - model.begin[node]) / model.n;
      if (width >= .4 || (node < model.n && model.begin[node] % every === 0)) this.nodes.push(node);
    }
    return this.nodes;
  }

  draw() {
    const { model, state } = this, [w, h] = this.size, ctx = prepared(this.canvas, w, h), left = 34, wide = Math.max(w - left - 18, 10), n = model.n;
    ctx.clearRect(0, 0, w, h);
    const top = model.facts.highest, limit = state.theta + SLACK;
    for (const node of this.visible(wide)) {
      const a = left + wide * model.begin[node] / n, b = left + wide * model.end[node] / n;
      const birth = node < n ? top : model.nodeWeight[node - n], death = model.under[node], y = this.y(death), Y = this.y(birth);
      const joined = birth <= limit && node >= n, alive = !joined && death <= limit;
      ctx.fillStyle = joined ? css.line : state.nodeColor(node);
      ctx.globalAlpha = joined ? 1 : alive ? (node < n ? .55 : 1) : node < n ? .18 : .42;
      ctx.fillRect(a, y, Math.max(b - a - (b - a > 3 ? .7 : 0), .5), Math.max(Y - y - .6, .6));
    }
    ctx.globalAlpha = 1;
    this.marks(ctx, left, wide, w, h, this.y(state.theta));
  }

  // The cut, the lifetime of its number of components at the side, and selected leaves below.
  marks(ctx, left, wide, w, h, cut) {
    const { model, state } = this, ink = css.ink, [from, to] = model.lifetime(state.theta);
    ctx.fillStyle = css.soft; ctx.font = "11px system-ui, sans-serif"; ctx.textAlign = "right"; ctx.textBaseline = "middle";
    for (let j = 0; j <= 4; j++) { const value = model.facts.lowest + (model.facts.highest - model.facts.lowest) * j / 4; ctx.fillText(model.amount(value), left - 5, this.y(value)); }
    ctx.fillStyle = css.line; ctx.fillRect(w - 11, this.y(model.facts.lowest), 7, this.y(model.facts.highest) - this.y(model.facts.lowest));
    ctx.fillStyle = css.mark; ctx.fillRect(w - 11, this.y(from), 7, Math.max(this.y(to) - this.y(from), 2));
    ctx.strokeStyle = ink; ctx.lineWidth = 1.5; ctx.beginPath(); ctx.moveTo(left - 3, cut); ctx.lineTo(w - 2, cut); ctx.stroke();
    ctx.fillStyle = ink;
    if (state.selected.size) for (let p = 0; p < model.n; p++) if (state.selected.has(model.leaf[p])) ctx.fillRect(left + wide * p / model.n, h - 20, Math.max(wide / model.n, 1.2), 8);
  }

  at(px, py) {
    const { model } = this, [w] = this.size, left = 34, wide = w - left - 18, p = Math.floor((px - left) / wide * model.n), theta = this.threshold(py);
    if (p < 0 || p >= model.n) return null;
    for (let node = 0; node < model.n + model.children.length; node++) {
      const birth = node < model.n ? Infinity : model.nodeWeight[node - model.n];
      if (model.begin[node] <= p && p < model.end[node] && birth > theta + SLACK && model.under[node] <= theta + SLACK) return { node };
    }
    return null;
  }
  leaves(node) { return Array.from(this.model.leaf.subarray(this.model.begin[node], this.model.end[node])); }
}

class HeatView {
  constructor(canvas, model, state) { Object.assign(this, { canvas, model, state, side: model.facts.heat }); }
  get size() { return [this.canvas.clientWidth, this.canvas.clientHeight]; }
  get frame() { const [w, h] = this.size, left = 14, side = Math.min(w - left - 66, h - 16); return [left, 14, Math.max(side, 10)]; }
  image() {
    const m = this.side, made = document.createElement("canvas"), [lo, hi] = [channels(css.cold), channels(css.hot)];
    made.width = made.height = m;
    const ctx = made.getContext("2d"), data = ctx.createImageData(m, m), none = channels(css.card);
    for (let c = 0; c < m * m; c++) {
      const v = this.model.heat[c];
      for (let j = 0; j < 3; j++) data.data[4 * c + j] = 255 * (v === 255 ? none[j] : lo[j] + (hi[j] - lo[j]) * v / 254);
      data.data[4 * c + 3] = 255;
    }
    ctx.putImageData(data, 0, 0);
    return made;
  }
  draw() {
    const [w, h] = this.size, key = [w, h, css.cold, this.state.turn].join();
    if (this.key === key) return;
    this.key = key;
    const ctx = prepared(this.canvas, w, h), [left, top, side] = this.frame, cell = side / this.side;
    ctx.clearRect(0, 0, w, h);
    if (this.shade !== css.cold) { this.shade = css.cold; this.cells = this.image(); }
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(this.cells, left, top, side, side);
    const marked = this.state.blocks();
    for (let b = 0; b < this.side; b++) {
      ctx.fillStyle = this.model.facts.groups[this.model.heat_group[b]].color;
      ctx.fillRect(left - 9, top + b * cell, 6, cell + .4); ctx.fillRect(left + b * cell, top - 9, cell + .4, 6);
      if (marked.has(b)) { ctx.fillStyle = css.ink; ctx.fillRect(left - 14, top + b * cell, 4, Math.max(cell, 1.5)); ctx.fillRect(left + b * cell, top - 14, Math.max(cell, 1.5), 4); }
    }
    this.beside(ctx, left + side + 8, top, side, cell, w);
  }

  // Names where every row is one object and has room; otherwise what the shades mean.
  beside(ctx, x, top, side, cell, w) {
    ctx.fillStyle = css.ink; ctx.font = "11px system-ui, sans-serif"; ctx.textAlign = "left"; ctx.textBaseline = "middle";
    if (this.side === this.model.n && cell >= 11) {
      for (let i = 0; i < this.model.n; i++) if (this.model.block[i] < this.side) ctx.fillText(short(this.model.names[i], Math.floor((w - x) / 6.5)), x, top + (this.model.block[i] + .5) * cell);
      return;
    }
    const fade = ctx.createLinearGradient(0, top + side * .6, 0, top);
    fade.addColorStop(0, css.cold); fade.addColorStop(1, css.hot);
    ctx.fillStyle = fade; ctx.fillRect(x, top, 10, side * .6);
    ctx.fillStyle = css.soft;
    for (const part of [0, .5, 1]) ctx.fillText(this.model.amount(part * this.model.facts.heatMost), x + 15, top + side * .6 * (1 - part) + (part === 1 ? 5 : part ? 0 : -5));
  }
  at(px, py) {
    const [left, top, side] = this.frame, a = Math.floor((py - top) / side * this.side), b = Math.floor((px - left) / side * this.side);
    return a >= 0 && b >= 0 && a < this.side && b < this.side ? { row: a, column: b, value: this.model.heat[a * this.side + b] } : null;
  }
}

/** A table of which only the rows in sight exist: those of a selection of several objects, or of all. */
class TableView {
  constructor(box, model, state, pick) {
    Object.assign(this, { box, model, state, pick, high: 26, by: model.confidence ? "confidence" : "name", up: true, active: 0 });
    this.rows = box.querySelector(".rows"); this.space = box.querySelector(".space");
    const number = f => (a, b) => f(a) - f(b), name = new Intl.Collator("en", { numeric: true });
    this.orders = {
      name: (a, b) => name.compare(model.names[a], model.names[b]), cluster: number(i => model.group[i]), rival: number(i => model.rival ? model.rival[i] : 0),
      confidence: number(i => model.confidence ? model.confidence[i] : 0), piece: number(i => state.pieces.of[i]), ties: number(i => model.edgesAt(i).length),
    };
    this.sort();
    box.addEventListener("scroll", () => this.draw());
  }
  sort() {
    const order = this.orders[this.by], sign = this.up ? 1 : -1, { selected, nothing } = this.state;
    this.list = nothing ? [] : selected.size > 1 ? [...selected] : Array.from({ length: this.model.n }, (_, i) => i);
    this.list.sort((a, b) => sign * order(a, b) || a - b);
    this.space.style.height = this.list.length * this.high + "px";
    this.box.style.height = `min(22rem, ${this.model.n * this.high + 4}px)`;
  }
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.high) - 2), last = Math.min(this.list.length, first + Math.ceil(this.box.clientHeight / this.high) + 5);
    this.rows.style.transform = `translateY(${first * this.high}px)`;
    this.rows.replaceChildren(...this.list.slice(first, last).map((i, j) => this.row(i, first + j)));
  }
  row(i, place) {
    const { model, state } = this, row = document.createElement("div"), cell = (text, kind) => { const c = document.createElement("span"); c.className = kind || ""; c.textContent = text; row.append(c); return c; };
    row.className = "row" + (state.selected.has(i) ? " on" : "") + (place === this.active ? " active" : "");
    row.setAttribute("role", "option"); row.setAttribute("aria-selected", state.selected.has(i));
    cell(shown(model.names[i]), "name").title = shown(model.names[i]);
    cell("", "chip").append(swatch(model, model.group[i]), shown(model.facts.groups[model.group[i]].name));
    if (model.confidence) {
      const c = cell((model.confidence[i] / 1000).toFixed(2), "bar"); c.style.setProperty("--part", model.confidence[i] / 10 + "%");
      const r = cell("", "chip"); if (model.rival[i] >= 0) r.append(swatch(model, model.rival[i]), shown(model.facts.groups[model.rival[i]].name)); else r.textContent = "–";
    } else cell(model.edgesAt(i).length, "n");
    cell((state.pieces.of[i] + 1).toLocaleString("en"), "n").title = many(state.pieces.size[state.pieces.of[i]], "member");
    row.addEventListener("click", event => { this.active = place; this.pick(i, event.shiftKey || event.ctrlKey || event.metaKey); });
    return row;
  }
  show(i) {
    const place = this.list.indexOf(i);
    if (place >= 0) { this.active = place; this.box.scrollTop = Math.max(0, place * this.high - this.box.clientHeight / 2); }
    this.draw();
  }
}

function swatch(model, g) {
  const made = document.createElement("i");
  made.style.background = model.facts.groups[g].color;
  return made;
}
