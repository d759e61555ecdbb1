// LiteRT.js by WebAssembly: https://ai.google.dev/edge/litert/web
import {loadAndCompile, loadLiteRt, Tensor} from '/packages/@litertjs/core/dist/index.js';

let isReady;  // once for all models of a page

export async function load(model, threads, [count, channels, height, width]) {
  isReady ??= loadLiteRt('/packages/@litertjs/core/wasm/', {threads: threads > 1});
  await isReady;
  const compiled = await loadAndCompile(model, {accelerator: 'wasm', cpuOptions: {numThreads: threads}});
  return async images => {
    const taken = new Tensor(images, [count, height, width, channels]);
    const [given] = await compiled.run(taken);
    const logits = given.toTypedArray().slice();
    taken.delete();
    given.delete();
    return logits;
  };
}
