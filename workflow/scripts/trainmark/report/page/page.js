// Figures are unpacked; tables are sorted and searched.
const KINDS = { svg: "image/svg+xml", csv: "text/csv" };

async function draw(drawing) {
  const { name } = drawing.dataset;
  for (const [kind, type] of Object.entries(KINDS)) {
    const link = drawing.querySelector(`.${kind}`);
    const file = await unpacked(link.dataset.gzip).blob();
    link.href = URL.createObjectURL(new Blob([file], { type }));
    link.download = `${name}.${kind}`;
  }
  drawing.querySelector("img").src = drawing.querySelector(".svg").href;
  drawing.querySelector(".full").href = drawing.querySelector(".svg").href;
}

function sort(button) {
  const heading = button.closest("th");
  const up = heading.ariaSort !== "ascending";
  const place = [...heading.parentNode.children].indexOf(heading);
  const body = heading.closest("table").tBodies[0];
  const text = (row) => row.cells[place].textContent;
  const number = (row) => Number.parseFloat(text(row).replaceAll(",", ""));
  const compare = (one, other) =>
    Number.isNaN(number(one) - number(other))
      ? text(one).localeCompare(text(other))
      : number(one) - number(other);
  for (const other of heading.parentNode.children) other.ariaSort = null;
  heading.ariaSort = up ? "ascending" : "descending";
  body.append(...[...body.rows].sort((one, other) => (up ? compare(one, other) : compare(other, one))));
}

for (const button of document.querySelectorAll(".sortable th button"))
  button.addEventListener("click", () => sort(button));
document.getElementById("search").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  const rows = [...document.querySelectorAll(".sortable tbody tr")];
  for (const row of rows)
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  const left = rows.filter((row) => !row.hidden).length;
  document.getElementById("found").value = `${left} of ${rows.length} rows`;
});
for (const drawing of document.querySelectorAll(".drawing"))
  await drawnIn(drawing.querySelector(".full"), () => draw(drawing));
document.body.dataset.drawn = "yes";
