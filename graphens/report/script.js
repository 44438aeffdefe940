(function () {
  "use strict";
  document.documentElement.classList.add("script");
  function each(list, act) { Array.prototype.forEach.call(list, act); }
  each(document.querySelectorAll("table.sortable"), function (table) {
    each(table.tHead.rows[0].cells, function (cell, column) {
      var button = cell.querySelector("button");
      if (!button) { return; }
      button.addEventListener("click", function () {
        var up = cell.getAttribute("aria-sort") !== "ascending";
        each(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
        cell.setAttribute("aria-sort", up ? "ascending" : "descending");
        var rows = Array.prototype.slice.call(table.tBodies[0].rows);
        rows.sort(function (a, b) {
          var x = a.cells[column].dataset.value, y = b.cells[column].dataset.value;
          var order = isNaN(x) || isNaN(y) || x === "" || y === "" ? String(x).localeCompare(String(y)) : x - y;
          return up ? order : -order;
        });
        rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
      });
    });
  });
  each(document.querySelectorAll("[role=tablist]"), function (list) {
    var tabs = list.querySelectorAll("[role=tab]");
    function show(i) {
      each(tabs, function (tab, j) {
        tab.setAttribute("aria-selected", i === j);
        tab.tabIndex = i === j ? 0 : -1;
        document.getElementById(tab.getAttribute("aria-controls")).hidden = i !== j;
      });
    }
    each(tabs, function (tab, i) {
      tab.addEventListener("click", function () { show(i); });
      tab.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) { var next = (i + step + tabs.length) % tabs.length; show(next); tabs[next].focus(); }
      });
      if (tab.dataset.first) { show(i); }
    });
  });
  var picked = null;
  function pick(cluster) {
    picked = picked === cluster ? null : cluster;
    document.body.classList.toggle("picked", picked !== null);
    each(document.querySelectorAll("[data-cluster], [data-frame]"), function (part) {
      part.classList.toggle("on", (part.dataset.cluster || part.dataset.frame) === picked);
    });
    each(document.querySelectorAll(".chip"), function (chip) {
      chip.setAttribute("aria-pressed", chip.dataset.pick === picked);
    });
  }
  document.addEventListener("click", function (event) {
    var chip = event.target.closest(".chip"), drawn = event.target.closest("svg [data-cluster]");
    if (chip) { pick(chip.dataset.pick); }
    else if (drawn && drawn.dataset.cluster !== "-1") { pick(drawn.dataset.cluster); }
  });
  each(document.querySelectorAll(".chip"), function (chip) { chip.setAttribute("aria-pressed", "false"); });

  var table = document.getElementById("objects-table"), find = document.getElementById("find");
  var told = document.getElementById("told"), all = document.getElementById("all"), data = document.getElementById("data");
  if (!table || !find) { return; }
  async function unpack(name) {
    if (!data.dataset[name]) { return null; }
    var bytes = Uint8Array.from(atob(data.dataset[name]), function (c) { return c.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }
  var kept = null;
  function objects() {
    kept = kept || Promise.all([unpack("labels"), unpack("confidence"), unpack("names")]).then(function (parts) {
      return {
        labels: new { 1: Int8Array, 2: Int16Array, 4: Int32Array }[data.dataset.bytes](parts[0]),
        confidence: parts[1] && new Uint8Array(parts[1]),
        names: parts[2] && new TextDecoder().decode(parts[2]).split("\n")
      };
    });
    return kept;
  }
  function place(known, words) {
    if (known.names) { return known.names.findIndex(function (name) { return name.toLowerCase() === words; }); }
    var number = /^x?(\d+)$/.exec(words);
    return number && +number[1] < known.labels.length ? +number[1] : -1;
  }
  async function search() {
    var words = find.value.trim().toLowerCase(), count = 0;
    table.classList.toggle("all", words !== "" || all.getAttribute("aria-pressed") === "true");
    each(table.tBodies[0].rows, function (row) {
      var fits = !words || row.cells[0].textContent.toLowerCase().indexOf(words) >= 0;
      row.hidden = !fits;
      count += fits ? 1 : 0;
    });
    if (!words) { told.textContent = ""; return; }
    told.textContent = count + (count === 1 ? " row" : " rows");
    if (!data) { return; }
    var known = await objects();
    if (find.value.trim().toLowerCase() !== words) { return; }
    var i = place(known, words);
    if (i >= 0) {
      var name = known.names ? known.names[i] : "object " + i;
      var sure = known.confidence && known.labels[i] >= 0 ? " (confidence " + (known.confidence[i] / 100).toFixed(2) + ")" : "";
      told.textContent += "; " + name + (known.labels[i] < 0 ? " is in no cluster" : " is in cluster " + known.labels[i] + sure);
    }
  }
  find.addEventListener("input", search);
  all.hidden = table.tBodies[0].rows.length <= 50;
  all.addEventListener("click", function () {
    var open = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", open);
    all.textContent = open ? "show the first 50 rows" : "show all rows";
    table.classList.toggle("all", open || find.value !== "");
  });
  function cell(value) { return /[",\r\n]/.test(value) ? '"' + value.replace(/"/g, '""') + '"' : value; }
  async function labels() {
    var known = await objects();
    var lines = ["object,cluster" + (known.confidence ? ",confidence" : "")];
    for (var i = 0; i < known.labels.length; i++) {
      lines.push((known.names ? cell(known.names[i]) : i) + "," + known.labels[i] +
        (known.confidence ? "," + (known.confidence[i] / 100).toFixed(2) : ""));
    }
    return lines.join("\n") + "\n";
  }
  document.getElementById("download").hidden = !data;
  document.getElementById("download").addEventListener("click", async function () {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await labels()], { type: "text/csv" }));
    link.download = "labels.csv";
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  });
  window.graphens = { pick: pick, labels: labels };
})();
