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
  each(document.querySelectorAll(".chip"), function (chip) {
    chip.addEventListener("click", function () {
      picked = picked === chip.dataset.pick ? null : chip.dataset.pick;
      document.body.classList.toggle("picked", picked !== null);
      each(document.querySelectorAll("[data-cluster]"), function (row) {
        row.classList.toggle("on", row.dataset.cluster === picked);
      });
      each(document.querySelectorAll('svg g[id^="cluster-"], svg g[id^="frame-"]'), function (part) {
        part.classList.toggle("on", part.id.split("-")[1] === picked);
      });
      each(document.querySelectorAll(".chip"), function (other) {
        other.setAttribute("aria-pressed", other.dataset.pick === picked);
      });
    });
  });
})();
