// The controls are parameters of the charts by the same names; the address keeps what they are.
const verdicts = await unpackedElement("verdicts").json();
const choices = document.getElementById("choices");
const lookedAt = document.getElementById("looked-at");
const { configuration, beside } = lookedAt.elements;
const shown = document.getElementById("configuration");
const options = {
  renderer: "svg",
  actions: { export: true, source: false, compiled: false, editor: false },
  theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : undefined,
  config: { background: "transparent", view: { stroke: null }, axisY: { labelFontSize: 12 } },
};
const ROW_PIXELS = 22;
const OPPOSITE = { faster: "slower", slower: "faster" };
const figures = document.querySelectorAll(".case");
const views = new Map();
const controls = [...choices.elements];
const kept = [...controls, configuration, beside];
const defaults = Object.fromEntries(kept.map((control) => [control.name, control.value]));

function write({ name, value }) {
  const address = new URLSearchParams(location.hash.slice(1));
  if (value === defaults[name]) address.delete(name);
  else address.set(name, value);
  history.replaceState(null, "", `#${address}`);
}

async function apply() {
  for (const figure of figures)
    figure.hidden = !["all", figure.dataset.case].includes(choices.elements.case.value);
  for (const figure of figures) {
    if (figure.hidden) continue;
    figure.querySelector(".metric").textContent = shownMetric();
    if (figure.getBoundingClientRect().top > innerHeight) await opened();
    if (!views.has(figure)) views.set(figure, embed(figure));
    await update(await views.get(figure));
  }
}

function shownMetric() {
  const { metric, relative } = choices.elements;
  const [name, how] = [metric, relative].map((list) => list.selectedOptions[0].label);
  return relative.value === defaults.relative ? name : `${name}, ${how}`;
}

// What is seen first is there; the rest is drawn without holding up the reader.
function opened() {
  document.body.dataset.opened = "yes";
  return new Promise((done) => setTimeout(done));
}

async function update(view) {
  for (const { name, value } of controls) if (name !== "case") view.signal(name, value);
  await view.runAsync();
  const rows = view.scale("y").domain().length;
  if (rows) await view.height(ROW_PIXELS * rows).runAsync();
}

async function show() {
  const number = configuration.value;
  shown.replaceChildren();
  document.getElementById("verdict").value = verdict();
  if (!document.getElementById(`configuration-${number}`)) return;
  const details = await unpackedElement(`configuration-${number}`).text();
  const curves = await unpackedElement(`curves-${number}`).json();
  if (number !== configuration.value) return;
  shown.innerHTML = details;
  const place = shown.querySelector(".curves");
  for (const chart of curves) {
    const own = place.appendChild(document.createElement("div"));
    await vegaEmbed(own, chart, options);
  }
}

function verdict() {
  if (!configuration.value || !beside.value || configuration.value === beside.value) return "";
  const [first, second] = [configuration, beside].map((list) => list.selectedOptions[0].label);
  const found = between(configuration.value, beside.value);
  if (!found) return `${first} and ${second} have no values of the same metric and case.`;
  const [ratio, low, high, told] = found;
  const number = (value) => value.toPrecision(3);
  const interval = low === null ? "no interval: one run alone" : `95 % interval ${number(low)} to ${number(high)}`;
  const { metric } = configuration.selectedOptions[0].dataset;
  return `${metric}: ${first} is ${number(ratio)} times as good as ${second} (${interval}): ${told}.`;
}

function between(first, second) {
  if (Number(first) < Number(second)) return verdicts[`${first},${second}`];
  const found = verdicts[`${second},${first}`];
  if (!found) return found;
  const [ratio, low, high, told] = found;
  const reciprocals = [ratio, high, low].map((value) => (value === null ? null : 1 / value));
  return [...reciprocals, OPPOSITE[told] ?? told];
}

async function read() {
  const address = new URLSearchParams(location.hash.slice(1));
  for (const control of kept) {
    control.value = address.get(control.name) ?? defaults[control.name];
    if (control.selectedIndex < 0) control.value = defaults[control.name];
  }
  await Promise.all([apply(), show()]);
}

async function choose(number) {
  configuration.value = number;
  write(configuration);
  await show();
  shown.scrollIntoView();
}

function shownRows({ rows, configurations }) {
  const fits = (one) =>
    controls.every(({ name, value }) => !(name in one) || ["all", one[name]].includes(value));
  const labels = new Map(configurations.filter(fits).map((one) => [one.configuration, one.label]));
  return rows
    .filter((row) => row.metric === choices.elements.metric.value && row.kind !== "none")
    .filter((row) => labels.has(row.configuration))
    .map((row) => ({ ...row, label: labels.get(row.configuration) }));
}

function download(name, datasets) {
  const columns = ["label", "metric", "kind", "value", "low", "high"];
  const cell = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const lines = [columns, ...shownRows(datasets).map((row) => columns.map((column) => row[column]))];
  const text = lines.map((line) => line.map(cell).join(",")).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
}

async function embed(figure) {
  const { case: name, gzip } = figure.dataset;
  const chart = await unpacked(gzip).json();
  const place = figure.querySelector(".chart");
  const { view } = await vegaEmbed(place, chart, options);
  place.style.minHeight = "";
  view.addEventListener("click", (event, item) => {
    if (item?.datum?.configuration !== undefined) choose(item.datum.configuration);
  });
  const { datasets } = chart;
  figure.querySelector(".download").addEventListener("click", () => download(name, datasets));
  return view;
}

choices.addEventListener("input", ({ target }) => { write(target); apply(); });
lookedAt.addEventListener("input", ({ target }) => { write(target); show(); });
addEventListener("hashchange", read);
await read();
document.body.dataset.opened = document.body.dataset.ready = "yes";
