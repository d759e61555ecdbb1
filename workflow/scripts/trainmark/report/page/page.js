// Figures are unpacked; tables are sorted, those without a number last, and searched.
const VERSION = /^\d+\.\d+\.\d/;
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
  const lacks = (row) => Number.isNaN(number(row)) || VERSION.test(text(row));
  const compare = (one, other) =>
    lacks(one)
      ? text(one).localeCompare(text(other), "en", { numeric: true })
      : number(one) - number(other);
  for (const other of heading.parentNode.children) other.ariaSort = null;
  heading.ariaSort = up ? "ascending" : "descending";
  const sorted = [...body.rows].sort(
    (one, other) => lacks(one) - lacks(other) || (up ? compare(one, other) : compare(other, one)),
  );
  body.append(...sorted);
}

function find(wanted) {
  const words = wanted.toLowerCase().split(/\s+/);
  const rows = [...document.querySelectorAll(".sortable tbody tr")];
  for (const row of rows)
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  for (const fold of document.querySelectorAll("details:has(.sortable)"))
    if (wanted) fold.open = fold.querySelector("tbody tr:not([hidden])") !== null;
  const left = rows.filter((row) => !row.hidden).length;
  document.getElementById("matching").value = wanted && `${left} of ${rows.length} rows`;
}

function read() {
  search.value = address().get("search") ?? "";
  find(search.value);
}

for (const button of document.querySelectorAll(".sortable th button"))
  button.addEventListener("click", () => sort(button));
const search = document.getElementById("search");
search.addEventListener("input", () => {
  keep("search", search.value);
  find(search.value);
});
addEventListener("hashchange", read);
read();
// A link within the page leaves the address alone, which has what a reader chose.
for (const link of document.querySelectorAll('a[href^="#"]:not([data-configuration])'))
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const target = document.querySelector(link.hash);
    const fold = target.parentNode.querySelector(":scope > .fold");
    if (fold) fold.open = true;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView();
  });

// Figures are drawn once, when they are first looked at.
const gallery = document.getElementById("gallery");
let drawings;

async function drawAll() {
  for (const drawing of gallery.querySelectorAll(".drawing"))
    await drawnIn(drawing.querySelector(".full"), () => draw(drawing));
}

const look = () => {
  if (gallery.open) drawings ??= drawAll();
};
gallery?.addEventListener("toggle", look);
if (gallery) look();
