// What the page holds compressed by gzip, in base64: a response, which gives text, JSON or a file.
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

const unpackedElement = (id) => unpacked(document.getElementById(id).textContent);
