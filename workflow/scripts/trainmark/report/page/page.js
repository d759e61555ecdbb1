// The controls are parameters of the charts by the same names; the address keeps what they are.
const charts = JSON.parse(document.getElementById("charts").textContent);
const curves = JSON.parse(document.getElementById("curves").textContent);
const choices = document.getElementById("choices");
const shown = document.getElementById("configuration");
const options = {
  renderer: "svg",
  actions: { export: true, source: false, compiled: false, editor: false },
  theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : undefined,
  config: { background: "transparent", view: { stroke: null }, axisY: { labelFontSize: 12 } },
};
const ROW_PIXELS = 22;
const views = new Map();
const controls = [...choices.elements];
const defaults = Object.fromEntries(controls.map((control) => [control.name, control.value]));

function write(name, value) {
  const address = new URLSearchParams(location.hash.slice(1));
  if (value === null || value === defaults[name]) address.delete(name);
  else address.set(name, value);
  history.replaceState(null, "", `#${address}`);
}

async function apply() {
  for (const figure of document.querySelectorAll(".case"))
    figure.hidden = !["all", figure.dataset.case].includes(choices.elements.case.value);
  for (const view of views.values()) {
    for (const { name, value } of controls) if (name !== "case") view.signal(name, value);
    await view.runAsync();
    const rows = view.scale("y").domain().length;
    if (rows) await view.height(ROW_PIXELS * rows).runAsync();
  }
}

async function show(number) {
  const template = number === null ? null : document.getElementById(`configuration-${number}`);
  shown.hidden = !template;
  shown.replaceChildren(...(template ? [template.content.cloneNode(true)] : []));
  if (!template) return;
  const place = shown.querySelector(".curves");
  for (const chart of curves[number]) {
    const own = place.appendChild(document.createElement("div"));
    await vegaEmbed(own, chart, options);
  }
  shown.scrollIntoView();
}

async function read() {
  const address = new URLSearchParams(location.hash.slice(1));
  for (const control of controls) {
    control.value = address.get(control.name) ?? defaults[control.name];
    if (control.selectedIndex < 0) control.value = defaults[control.name];
  }
  await apply();
  await show(address.get("configuration"));
}

function choose(number) {
  write("configuration", number);
  show(number);
}

function shownRows(name) {
  const { rows, configurations } = charts[name].datasets;
  const fits = (configuration) =>
    controls.every(({ name, value }) => !(name in configuration) || ["all", configuration[name]].includes(value));
  const labels = new Map(configurations.filter(fits).map((one) => [one.configuration, one.label]));
  return rows
    .filter((row) => row.metric === choices.elements.metric.value && row.kind !== "none")
    .filter((row) => labels.has(row.configuration))
    .map((row) => ({ ...row, label: labels.get(row.configuration) }));
}

function download(name) {
  const columns = ["label", "metric", "kind", "value", "low", "high"];
  const cell = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const lines = [columns, ...shownRows(name).map((row) => columns.map((column) => row[column]))];
  const text = lines.map((line) => line.map(cell).join(",")).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
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

choices.addEventListener("input", ({ target }) => { write(target.name, target.value); apply(); });
addEventListener("hashchange", read);
shown.addEventListener("click", ({ target }) => target.matches(".close") && choose(null));
for (const button of document.querySelectorAll(".sortable th button"))
  button.addEventListener("click", () => sort(button));
document.getElementById("search").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const row of document.querySelectorAll(".sortable tbody tr"))
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
});
for (const figure of document.querySelectorAll(".case")) {
  const { view } = await vegaEmbed(figure.querySelector(".chart"), charts[figure.dataset.case], options);
  views.set(figure.dataset.case, view);
  view.addEventListener("click", (event, item) => item?.datum?.configuration !== undefined && choose(item.datum.configuration));
  figure.querySelector(".download").addEventListener("click", () => download(figure.dataset.case));
}
await read();
document.body.dataset.ready = "yes";
