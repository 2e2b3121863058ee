// Sorts a table by the column whose heading is pressed, and hides rows that lack a text.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const value = (row, column) => {
    const cell = row.cells[column];
    const number = cell.dataset.value;
    return number === undefined ? cell.textContent : Number(number);
  };
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const sorted = rows.map((row, index) => [value(row, column), index, row]);
      sorted.sort((a, b) => {
        const order = a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
        return (descending ? -order : order) || a[1] - b[1];
      });
      body.replaceChildren(...sorted.map((entry) => entry[2]));
    });
  });
  const label = document.createElement("label");
  label.textContent = "Show rows with ";
  const filter = document.createElement("input");
  filter.type = "search";
  label.append(filter);
  table.parentElement.before(label);
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
