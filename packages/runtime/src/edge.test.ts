import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const entry = new URL("../dist/index.js", import.meta.url).href;

/** Loads the built runtime in a worker without anything of Node, and runs one turn there. */
const program = `
  const { parentPort } = await import("node:worker_threads");
  for (const name of ["process", "Buffer", "setImmediate", "clearImmediate", "require", "module", "global", "__dirname", "__filename"]) {
    delete globalThis[name];
  }
  globalThis.Function = globalThis.eval = () => { throw new EvalError("no code from text here"); };
  const { buildTool, createDispatcher } = await import(${JSON.stringify(entry)});
  const look = buildTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", required: ["n"], properties: { n: { type: "integer" }, at: { type: "string", default: "here" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    execute: async ({ n, at }, { signal }) => ({ n, at, aborted: signal.aborted }),
  });
  const dispatcher = createDispatcher({ tools: [look] });
  const results = await dispatcher.dispatch([{ id: "1", name: "look", input: '{"n":"7"}' }, { id: "2", name: "look", input: {} }]);
  parentPort.postMessage({
    outputs: results.map((result) => result.output ?? result.error.code),
    digest: dispatcher.definitionsDigest("anthropic").length,
    hasProcess: typeof process,
  });
`;

test("the built runtime works in a worker without anything of Node, and makes no code from text", async () => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  expect(answer).toEqual({
    outputs: [{ n: 7, at: "here", aborted: false }, "invalid-input"],
    digest: 64,
    hasProcess: "undefined",
  });
});
