// What the page holds compressed by gzip, in base64: a response, which gives text, JSON or a file.
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

const unpackedElement = (id) => unpacked(document.getElementById(id).textContent);

// What can't be drawn says so in its own place, so that all else is drawn.
async function drawnIn(place, draw) {
  try {
    await draw();
  } catch (error) {
    place.style.minHeight = "";
    place.textContent = `This can't be drawn: ${error.message}`;
  }
}
