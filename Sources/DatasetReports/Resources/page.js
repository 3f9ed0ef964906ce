"use strict";
(function () {
  var root = document.documentElement;
  function stored(value) {
    try {
      if (value === undefined) { return localStorage.getItem("veery-theme"); }
      localStorage.setItem("veery-theme", value);
    } catch (error) { return null; }
  }
  var group = document.querySelector(".theme");
  function choose(theme) {
    if (theme === "light" || theme === "dark") { root.setAttribute("data-theme", theme); }
    else { root.removeAttribute("data-theme"); theme = "auto"; }
    group.querySelectorAll("button").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    });
  }
  group.hidden = false;
  choose(stored());
  group.addEventListener("click", function (event) {
    var theme = event.target.dataset.themeChoice;
    if (theme) { choose(theme); stored(theme); }
  });

  function key(row, column) {
    var cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  }
  function sort(table, column, header) {
    var descending = header.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) {
      var x = key(a, column), y = key(b, column);
      var order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return descending ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    table.querySelectorAll("thead th").forEach(function (header, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = header.textContent;
      header.textContent = "";
      header.appendChild(button);
      button.addEventListener("click", function () { sort(table, column, header); });
    });
  });
  function filter(input, items, text) {
    var status = document.createElement("span");
    status.setAttribute("role", "status");
    input.after(status);
    input.addEventListener("input", function () {
      var wanted = input.value.toLocaleLowerCase(), shown = 0;
      items.forEach(function (item) {
        item.hidden = text(item).toLocaleLowerCase().indexOf(wanted) < 0;
        if (!item.hidden) { shown += 1; }
      });
      status.textContent = wanted ? shown + " of " + items.length : "";
    });
  }
  document.querySelectorAll("table[data-filterable]").forEach(function (table, number) {
    var line = document.createElement("p"), label = document.createElement("label"), input = document.createElement("input");
    line.className = "filter";
    input.type = "search";
    input.id = "filter-" + number;
    label.htmlFor = input.id;
    label.textContent = "Show rows that contain";
    line.append(label, input);
    table.parentElement.before(line);
    filter(input, Array.prototype.slice.call(table.tBodies[0].rows), function (row) { return row.cells[0].textContent; });
  });
  var labels = document.getElementById("label-filter");
  if (labels) {
    labels.parentElement.hidden = false;
    filter(labels, Array.prototype.slice.call(document.querySelectorAll(".label")), function (section) {
      return section.querySelector("h3 bdi").textContent;
    });
  }
  document.querySelectorAll(".copy").forEach(function (button) {
    if (!navigator.clipboard) { return; }
    button.hidden = false;
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(function () {
        button.textContent = "Copied";
      }, function () { button.textContent = "Not allowed here"; });
    });
  });
})();
