// What a reader chose, kept in the page's address by the names of the controls.
const address = () => new URLSearchParams(location.hash.slice(1));

// An empty value is no choice, and isn't kept.
function keep(name, value) {
  const kept = address();
  if (value) kept.set(name, value);
  else kept.delete(name);
  history.replaceState(null, "", `#${kept}`);
}
