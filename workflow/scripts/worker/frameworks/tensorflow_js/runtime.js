// TensorFlow.js by WebAssembly: https://www.npmjs.com/package/@tensorflow/tfjs-backend-wasm
const PACKAGES = '/packages/@tensorflow/';
const BUNDLES = [  // each adds to the global object tf
  'tfjs-core/dist/tf-core.min.js',
  'tfjs-backend-cpu/dist/tf-backend-cpu.min.js',
  'tfjs-converter/dist/tf-converter.min.js',
  'tfjs-backend-wasm/dist/tf-backend-wasm.min.js',
];

for (const bundle of BUNDLES) await import(PACKAGES + bundle);

export async function load(model, threads, [, channels, height, width]) {
  tf.wasm.setWasmPaths(PACKAGES + 'tfjs-backend-wasm/dist/');
  tf.wasm.setThreadsCount(threads);
  if (!await tf.setBackend('wasm')) throw Error('WebAssembly could not be set up');
  const graph = await tf.loadGraphModel(model);
  return async images => {
    const taken = tf.tensor4d(images, [images.length / (channels * height * width), height, width, channels]);
    const given = graph.execute(taken);
    const logits = await given.data();
    tf.dispose([taken, given]);
    return logits;
  };
}
