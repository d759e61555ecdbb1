// ONNX Runtime Web by WebAssembly: https://onnxruntime.ai/docs/tutorials/web/
import * as ort from '/packages/onnxruntime-web/dist/ort.wasm.min.mjs';

export async function load(model, threads, shape) {
  ort.env.wasm.wasmPaths = '/packages/onnxruntime-web/dist/';
  ort.env.wasm.numThreads = threads;
  const session = await ort.InferenceSession.create(model, {executionProviders: ['wasm']});
  const [input] = session.inputNames, [output] = session.outputNames;
  const [, ...image] = shape, size = image.reduce((product, each) => product * each, 1);
  return async images => {
    const taken = new ort.Tensor('float32', images, [images.length / size, ...image]);
    return (await session.run({[input]: taken}))[output].data;
  };
}
