// Metric and filters are parameters of the charts by the same names; the address keeps all controls.
const verdicts = await unpackedElement("verdicts").json();
const choices = document.getElementById("choices");
const lookedAt = document.getElementById("looked-at");
const { configuration, beside } = lookedAt.elements;
const shown = document.getElementById("configuration");
// The page's own colour, in light and in dark; what is saved or printed has that of the paper.
const INK = "currentColor";
const options = {
  renderer: "svg",
  actions: { export: true, source: false, compiled: false, editor: false },
  config: {
    background: "transparent",
    view: { stroke: null },
    axis: { labelColor: INK, titleColor: INK, domainColor: INK, tickColor: INK, gridColor: INK, gridOpacity: 0.15 },
    axisY: { labelFontSize: 12 },
    legend: { labelColor: INK },
    text: { color: INK },
    rule: { color: INK },
  },
};
const ROW_PIXELS = 22;
const OPPOSITE = { faster: "slower", slower: "faster" };
const figures = document.querySelectorAll(".case");
const all = [...figures].reduce((sum, { dataset }) => sum + Number(dataset.count), 0);
const charts = new Map();
const explore = document.getElementById("explore");
let library;
let choice = 0;
const controls = [...choices.elements];
const signals = controls.filter(({ name }) => !["case", "relative", "logarithmic"].includes(name));
const kept = [...controls, configuration, beside];
const defaults = Object.fromEntries(kept.map((control) => [control.name, control.value]));

const write = ({ name, value }) => keep(name, value === defaults[name] ? "" : value);

// Of choices that follow each other quickly the last one is shown, whichever is drawn first.
async function apply() {
  if (!explore.open) return;
  const thisChoice = ++choice;
  const { case: chosen, metric } = choices.elements;
  const name = metric.selectedOptions[0].label;
  const configurations = new Set();
  for (const figure of figures)
    figure.hidden = ![defaults.case, figure.dataset.case].includes(chosen.value);
  for (const figure of figures) {
    if (figure.hidden) continue;
    if (figure.getBoundingClientRect().top > innerHeight) await opened();
    if (thisChoice !== choice) return;
    const caption = figure.querySelector(".metric");
    caption.textContent = name;
    await drawnIn(figure.querySelector(".chart"), async () => {
      if (!charts.has(figure)) charts.set(figure, embed(figure));
      const { view, datasets } = await charts.get(figure);
      if (thisChoice !== choice) return;
      const rows = shownRows(datasets);
      for (const row of rows) configurations.add(row.configuration);
      const scaled = scaling(rows);
      caption.textContent = [name, ...scaled.notes].join(", ");
      await update(view, scaled);
    });
  }
  if (thisChoice !== choice) return;
  document.getElementById("count").value = `${name}: ${configurations.size} of ${all} configurations`;
}

// Of a best of 0, or of what may be negative, nothing is a multiple; logarithms need values above 0.
function scaling(rows) {
  const { relative, logarithmic } = choices.elements;
  const of = (kind) => rows.filter((row) => row.kind === kind).map((row) => row.value);
  const means = of("mean");
  const lowest = Math.min(...means, ...of("run"));
  const scaled = { divisor: 1, logarithmic: "no", notes: [] };
  if (relative.value !== defaults.relative && means.length) {
    const { higher } = rows[0];
    const best = higher ? Math.max(...means) : Math.min(...means);
    if (higher === undefined) scaled.notes.push("as measured: no value is better than another");
    else if (best === 0 || lowest < 0) scaled.notes.push("as measured: not all values are above 0");
    else {
      scaled.divisor = best;
      scaled.notes.push(relative.selectedOptions[0].label);
    }
  }
  if (logarithmic.value !== defaults.logarithmic && means.length) {
    if (lowest > 0) scaled.logarithmic = "yes";
    else scaled.notes.push("linear: not all values are above 0");
  }
  return scaled;
}

// What is seen first is there; the rest is drawn without holding up the reader.
function opened() {
  document.body.dataset.opened = "yes";
  return new Promise((done) => setTimeout(done));
}

async function update(view, { divisor, logarithmic }) {
  for (const { name, value } of signals) view.signal(name, value);
  view.signal("divisor", divisor).signal("logarithmic", logarithmic);
  await view.runAsync();
  const lines = view.scale("y").domain().length;
  if (lines) await view.height(ROW_PIXELS * lines).runAsync();
}

async function show() {
  const number = configuration.value;
  shown.replaceChildren();
  document.getElementById("verdict").value = sentence();
  if (!document.getElementById(`configuration-${number}`)) return;
  const details = await unpackedElement(`configuration-${number}`).text();
  const curves = await unpackedElement(`curves-${number}`).json();
  if (number !== configuration.value) return;
  shown.innerHTML = details;
  const place = shown.querySelector(".curves");
  for (const chart of curves) {
    const chartPlace = place.appendChild(document.createElement("div"));
    await drawnIn(chartPlace, () => drawChart(chartPlace, chart));
  }
}

function sentence() {
  if (!configuration.value) return "";
  const options = [configuration, beside].map((list) => list.selectedOptions[0]);
  const [one, other] = options.map(({ label, parentElement }) => `${parentElement.label}: ${label}`);
  if (!beside.value || configuration.value === beside.value) return `${one} is shown below.`;
  const comparison = between(configuration.value, beside.value);
  if (!comparison) return `${one} and ${other} have no values of the same metric and case.`;
  const [first, second] = options.map(({ label }) => label);
  const [ratio, low, high, verdict] = comparison;
  const number = (value) =>
    value < 1000 ? value.toPrecision(3) : Math.round(value).toLocaleString("en");
  const interval = low === null ? "one run alone" : `95 % interval ${number(low)} to ${number(high)}`;
  const { metric } = configuration.selectedOptions[0].dataset;
  return `${metric}: ${first} is ${number(ratio)} times as good as ${second} (${interval}): ${verdict}.`;
}

function between(first, second) {
  if (Number(first) < Number(second)) return verdicts[`${first},${second}`];
  const comparison = verdicts[`${second},${first}`];
  if (!comparison) return comparison;
  const [ratio, low, high, verdict] = comparison;
  const reciprocals = [ratio, high, low].map((value) => (value === null ? null : 1 / value));
  return [...reciprocals, OPPOSITE[verdict] ?? verdict];
}

async function read() {
  const chosen = address();
  for (const control of kept) {
    control.value = chosen.get(control.name) ?? defaults[control.name];
    if (control.selectedIndex < 0) control.value = defaults[control.name];
  }
  if (controls.some(({ name }) => chosen.has(name))) explore.open = true;
  await Promise.all([apply(), show()]);
}

async function choose(number) {
  configuration.value = number;
  write(configuration);
  await show();
  shown.tabIndex = -1;
  shown.focus({ preventScroll: true });
  shown.scrollIntoView();
}

// Four digits without zeros at the end, as a count of 5 is no 5.000.
function inWords(value) {
  const size = Math.abs(value);
  if (size && size < 1e-4) return value.toExponential(3);
  const rounded = size < 1000 ? Number(value.toPrecision(4)) : Math.round(value);
  return rounded.toLocaleString("en", { maximumSignificantDigits: 15 });
}

// The row of a mean has the values of its runs; on the chart each run is a mark of its own.
function withRuns({ runs = {}, unit, ...row }) {
  const { configuration, metric, higher } = row;
  const marks = Object.entries(runs).map(([run, value]) => {
    const text = `run ${run}: ${inWords(value)} ${unit}`;
    return { configuration, metric, higher, kind: "run", run, value, text };
  });
  return [row, ...marks];
}

function shownRows({ rows, configurations }) {
  const fits = (one) =>
    controls.every(({ name, value }) => !(name in one) || [defaults[name], one[name]].includes(value));
  const labels = new Map(configurations.filter(fits).map((one) => [one.configuration, one.label]));
  return rows
    .filter((row) => row.metric === choices.elements.metric.value)
    .filter((row) => labels.has(row.configuration))
    .map((row) => ({ ...row, label: labels.get(row.configuration) }));
}

function download(name, datasets) {
  const { unit } = choices.elements.metric.selectedOptions[0].dataset;
  const columns = ["case", "label", "metric", "unit", "kind", "run", "value", "low", "high", "reason"];
  const cell = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const rows = shownRows(datasets).map((row) => {
    const values = { ...row, case: name, unit, reason: row.kind === "none" ? row.text : "" };
    return columns.map((column) => values[column]);
  });
  const text = [columns, ...rows].map((line) => line.map(cell).join(",")).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
}

// Vega is run when the first chart is asked for: it is most of what the page executes.
async function readLibrary() {
  const text = await unpackedElement("library").text();
  await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

async function drawChart(place, chart) {
  await (library ??= readLibrary());
  const { view } = await vegaEmbed(place, chart, options);
  const menu = place.querySelector("summary");
  menu.ariaLabel = `Save it. ${chart.description}`;
  menu.firstElementChild.ariaHidden = "true";
  return view;
}

async function embed(figure) {
  const { case: name, gzip } = figure.dataset;
  const chart = await unpacked(gzip).json();
  const { datasets } = chart;
  datasets.rows = datasets.rows.flatMap(withRuns);
  figure.querySelector(".download").addEventListener("click", () => download(name, datasets));
  const place = figure.querySelector(".chart");
  const view = await drawChart(place, chart);
  place.style.minHeight = "";
  view.addEventListener("click", (event, item) => {
    if (item?.datum?.configuration !== undefined) choose(item.datum.configuration);
  });
  return { view, datasets };
}

choices.addEventListener("input", ({ target }) => { write(target); apply(); });
lookedAt.addEventListener("input", ({ target }) => { write(target); show(); });
explore.addEventListener("toggle", apply);
for (const link of document.querySelectorAll("[data-configuration]"))
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link.dataset.configuration);
  });
addEventListener("hashchange", read);
await read();
if (configuration.value) shown.scrollIntoView();
document.body.dataset.opened = document.body.dataset.ready = "yes";
