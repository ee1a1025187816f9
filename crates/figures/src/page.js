"use strict";
// Long tables: show the first rows, filter by text, show all on request. Without this script every row is shown.
(function () {
  const FIRST = 200;
  for (const table of document.querySelectorAll("table[data-filter]")) {
    const section = table.closest("section");
    const controls = section.querySelector(".controls");
    const input = controls.querySelector("input");
    const status = controls.querySelector("[role=status]");
    const more = section.querySelector(".more");
    const rows = Array.from(table.tBodies[0].rows);
    const texts = rows.map((row) => Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase());
    let all = rows.length <= FIRST;

    const update = function () {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      let shown = 0;
      rows.forEach((row, index) => {
        const matches = words.every((word) => texts[index].includes(word));
        const visible = matches && (all || found < FIRST);
        found += matches ? 1 : 0;
        shown += visible ? 1 : 0;
        row.hidden = !visible;
      });
      const of = words.length ? found + " of " + rows.length + " rows match" : rows.length + " rows";
      status.textContent = shown < found ? of + ", first " + shown + " shown" : of;
      more.hidden = shown === found;
      more.firstElementChild.textContent = "Show all " + found + " rows";
    };

    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(update, 120);
    });
    more.firstElementChild.addEventListener("click", () => {
      all = true;
      update();
    });
    controls.hidden = false;
    update();
  }
})();
