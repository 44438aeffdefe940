// What the page knows: arrays out of the text in the page, the tree of single links, and the one state of all views.

const SLACK = 1e-9;  // as in the library: differences below are rounding, never evidence
const UNSURE = 600;  // confidence, in thousandths, below which an object is marked

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(raw.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + length)));
  const arrays = {};
  let at = 4 + length;
  for (const piece of head.arrays) {
    const width = +piece.kind[1], size = piece.size, own = new Uint8Array(size * width);
    for (let b = 0; b < width; b++) for (let i = 0; i < size; i++) own[i * width + b] = raw[at++];
    arrays[piece.name] = numbers(piece, own.buffer);
  }
  return [arrays, head.facts];
}

function numbers(piece, buffer) {
  const kinds = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array };
  const kept = new kinds[piece.kind](buffer);
  if (piece.kind[0] === "f" || !(piece.delta || piece.less)) return kept;
  const whole = new Float64Array(kept.length);
  let sum = 0;
  for (let i = 0; i < kept.length; i++) whole[i] = (piece.delta ? (sum += kept[i]) : kept[i]) - piece.less;
  return sum < 2 ** 31 ? Int32Array.from(whole) : whole;
}

/** How many of falling numbers are above a threshold, by more than rounding. */
function above(falling, theta) {
  let low = 0, high = falling.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (falling[middle] > theta + SLACK) low = middle + 1; else high = middle;
  }
  return low;
}

function sums(counts) {
  const total = new Float64Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) total[i + 1] = total[i] + counts[i];
  return total;
}

class Union {
  constructor(n) { this.parent = Int32Array.from({ length: n }, (_, i) => i); }
  find(i) {
    const p = this.parent;
    while (p[i] !== i) { p[i] = p[p[i]]; i = p[i]; }
    return i;
  }
}

class Model {
  constructor(arrays, facts) {
    Object.assign(this, arrays);
    this.facts = facts;
    this.n = this.group.length;
    this.m = this.source.length;
    this.names = typeof facts.names === "string" ? Array.from({ length: this.n }, (_, i) => facts.names + i) : facts.names;
    this.weight = this.edgeWeights();
    this.members = facts.groups.map(() => []);
    this.group.forEach((g, i) => this.members[g].push(i));
    this.plant();
    this.edgeLevels = this.level_weights || this.weight;
    this.edgeSums = this.level_edges ? sums(this.level_edges) : null;
    this.mergeSums = this.level_merges ? sums(this.level_merges) : null;
    this.mergeWeights = this.level_merges ? this.level_weights.filter((_, i) => this.level_merges[i] > 0) : this.forestWeight;
    this.explained = new Map();
    if (this.why) this.explain();
    this.neighbors();
    this.tell();
  }

  // The order in which objects are named on the map: the least certain of each cluster, or those with the most edges.
  tell() {
    const doubt = i => this.confidence && !this.facts.faint ? this.confidence[i] : -this.edgesAt(i).length, place = new Int32Array(this.n);
    for (const list of this.members) list.slice().sort((a, b) => doubt(a) - doubt(b) || a - b).forEach((i, rank) => { place[i] = rank; });
    this.telling = Array.from({ length: this.n }, (_, i) => i).sort((a, b) => place[a] - place[b] || a - b);
    const sum = list => list.reduce((total, v) => total + v, 0) / Math.max(this.n, 1);
    this.middle = [sum(this.x), sum(this.y)];
    const far = i => Math.hypot(this.x[i] - this.middle[0], this.y[i] - this.middle[1]);
    this.outermost = this.members.map(list => list.reduce((best, i) => far(i) > far(best) ? i : best, list[0]));
  }

  /** A weight in words: a share in percent, never rounded to nothing or all, or a number. */
  amount(x) {
    if (!this.facts.share) return number(x);
    return x > 0 && x < .01 ? "<1%" : x > .99 && x < 1 ? ">99%" : Math.round(100 * x) + "%";
  }

  /** What the ties above a threshold have in common: at least the weight of the weakest of them. */
  words(theta) {
    const kept = above(this.edgeLevels, theta), weakest = kept ? this.edgeLevels[kept - 1] : theta, { share, edge, weight } = this.facts;
    const least = share && weakest >= .01 ? Math.floor(100 * weakest + 1e-6) + "%" : this.amount(weakest);
    if (share && weakest > 1 - SLACK) return `Ties found in all of the ${share}`;
    if (share) return kept ? `Ties found in at least ${least} of the ${share}` : `Ties found in more than ${this.amount(theta)} of the ${share}`;
    return `${edge === "merge" ? "Merges" : "Edges"} with a ${weight} ${kept ? "of at least" : "above"} ${number(weakest)}`;
  }

  /** Thresholds at which two large islands merge, with what joins the larger one, from the last to the first. */
  merges() {
    const least = Math.max(2, .02 * this.n), many = node => this.nodeSize[node];
    return this.nodeWeight.filter((_, j) => this.children[j].filter(kid => many(kid) >= least).length > 1).sort((a, b) => a - b).slice(0, 60);
  }

  edgeWeights() {
    if (this.weights) return Float64Array.from(this.edge_weight, i => this.weights[i]);
    const [low, high] = this.facts.span || [0, 0];
    return Float64Array.from(this.edge_steps || [], s => low + (2 ** 30 - 1 - s) / (2 ** 30 - 1) * (high - low));
  }

  // The tree of single links: edges of one weight merge all they join at once, so a node may have many children.
  plant() {
    const n = this.n, union = new Union(n), top = Int32Array.from({ length: n }, (_, i) => i);
    const counts = new Array(n), forest = [], children = [], weight = [];
    this.mode = Array.from(this.group);
    const size = new Array(n).fill(1);
    for (let e = 0; e < this.m;) {
      const w = this.weight[e], touched = new Map();
      for (; e < this.m && this.weight[e] > w - SLACK; e++) {
        let a = union.find(this.source[e]), b = union.find(this.target[e]);
        if (a === b) continue;
        forest.push(e);
        let x = touched.get(a) || [top[a]], y = touched.get(b) || [top[b]];
        if (x.length < y.length) { [a, b] = [b, a]; [x, y] = [y, x]; }
        union.parent[b] = a;
        for (const node of y) x.push(node);
        touched.delete(b);
        touched.set(a, x);
      }
      for (const [root, kids] of touched) {
        const node = n + children.length;
        children.push(kids);
        weight.push(w);
        top[root] = node;
        size.push(kids.reduce((sum, kid) => sum + size[kid], 0));
        this.mode.push(modeOf(kids, counts, this.group, node, n));
      }
    }
    this.forest = Int32Array.from(forest);
    this.forestWeight = Float64Array.from(forest, e => this.weight[e]);
    Object.assign(this, { children, nodeWeight: weight, nodeSize: size });
    const tops = new Set();
    for (let i = 0; i < n; i++) tops.add(top[union.find(i)]);
    this.order([...tops]);
  }

  // Leaves from left to right, so that every node is a stretch of them.
  order(tops) {
    const n = this.n, all = n + this.children.length;
    this.begin = new Int32Array(all); this.end = new Int32Array(all); this.under = new Float64Array(all).fill(this.facts.lowest);
    this.leaf = new Int32Array(n);
    const rank = (a, b) => this.mode[a] - this.mode[b] || this.nodeSize[b] - this.nodeSize[a] || a - b;
    const stack = tops.sort(rank).reverse();
    let place = 0;
    while (stack.length) {
      const node = stack.pop();
      this.begin[node] = place; this.end[node] = place + this.nodeSize[node];
      if (node < n) { this.leaf[place++] = node; continue; }
      const kids = this.children[node - n].sort(rank);
      for (let j = kids.length - 1; j >= 0; j--) { this.under[kids[j]] = this.nodeWeight[node - n]; stack.push(kids[j]); }
    }
  }

  explain() {
    const B = this.facts.partitions.length, from = sums(this.mate_many);
    this.why.forEach((vertex, row) => this.explained.set(vertex, { row, first: row * B, mates: from[row], last: from[row + 1] }));
  }

  // Edges at every vertex, the strongest first.
  neighbors() {
    const begin = new Int32Array(this.n + 1);
    for (let e = 0; e < this.m; e++) { begin[this.source[e] + 1]++; begin[this.target[e] + 1]++; }
    for (let i = 0; i < this.n; i++) begin[i + 1] += begin[i];
    const at = begin.slice(), list = new Int32Array(2 * this.m);
    for (let e = 0; e < this.m; e++) { list[at[this.source[e]]++] = e; list[at[this.target[e]]++] = e; }
    this.edgesAt = i => list.subarray(begin[i], begin[i + 1]);
  }

  other(e, i) { return this.source[e] === i ? this.target[e] : this.source[e]; }

  edges(theta) {
    const kept = above(this.edgeLevels, theta);
    return this.edgeSums ? this.edgeSums[kept] : kept;
  }

  components(theta) {
    if (this.mergeSums) return this.facts.vertices - this.mergeSums[above(this.level_weights, theta)];
    return this.facts.vertices - above(this.forestWeight, theta);
  }

  /** The range of thresholds around this one with the same number of components. */
  lifetime(theta) {
    const w = this.mergeWeights, kept = above(w, theta);
    return [kept < w.length ? w[kept] : this.facts.lowest, kept ? w[kept - 1] : this.facts.highest];
  }

  /** A number for the component of every vertex, and the size of each; the largest comes first. */
  pieces(theta) {
    const union = new Union(this.n), kept = above(this.forestWeight, theta);
    for (let f = 0; f < kept; f++) {
      const e = this.forest[f];
      union.parent[union.find(this.source[e])] = union.find(this.target[e]);
    }
    const size = new Map();
    const root = Int32Array.from({ length: this.n }, (_, i) => { const r = union.find(i); size.set(r, (size.get(r) || 0) + 1); return r; });
    const ranked = [...size.keys()].sort((a, b) => size.get(b) - size.get(a) || a - b), rank = new Map(ranked.map((r, i) => [r, i]));
    return { of: root.map(r => rank.get(r)), size: ranked.map(r => size.get(r)) };
  }

  find(text) {
    const wanted = String(text);
    if (!wanted) return [];
    const same = [], like = [], low = wanted.toLowerCase();
    this.names.forEach((name, i) => {
      if (name === wanted) same.push(i); else if (name.toLowerCase().includes(low)) like.push(i);
    });
    return same.length ? same : like;
  }
}

/** The group that most leaves of some nodes are in; counts are kept at the new node, built on those of the largest. */
function modeOf(kids, counts, group, node, n) {
  let best = null;
  for (const kid of kids) if (counts[kid] && (!best || counts[kid].size > best.size)) best = counts[kid];
  const own = best || new Map();
  for (const kid of kids) {
    if (kid < n) own.set(group[kid], (own.get(group[kid]) || 0) + 1);
    else if (counts[kid] !== best) for (const [g, c] of counts[kid]) own.set(g, (own.get(g) || 0) + c);
    counts[kid] = undefined;
  }
  counts[node] = own;
  let mode = -1, most = 0;
  for (const [g, c] of own) if (c > most || (c === most && g < mode)) { mode = g; most = c; }
  return mode;
}
