import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

/**
 * Creates the globals that every edge worker has, and nothing of Node: no `process`, `Buffer` or `require`. No `crypto`
 * either: Node takes longer to load it than for all the rest of a first call.
 */
function edgeGlobals(): object {
  return { AbortController, AbortSignal, TextEncoder, performance, setTimeout, clearTimeout };
}

/** Bundles a program and runs it where only those globals exist and no code can be made from text. */
async function runOnTheEdge(imports: string, body: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports}; export const answer = (async () => {${body}})();`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "program",
    platform: "neutral",
  });
  const context = createContext(edgeGlobals(), { codeGeneration: { strings: false, wasm: false } });
  expect(() => runInContext("new Function('return 1')", context)).toThrow(/Code generation from strings disallowed/);
  return runInContext(`${outputFiles[0]?.text ?? ""}; program.answer`, context) as Promise<unknown>;
}

const tool = `
  const look = buildTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", required: ["n"], properties: { n: { type: "integer" }, at: { type: "string", pattern: "^h", default: "here" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: async ({ n, at }, { signal, progress }) => { progress(n); return { n, at, aborted: signal.aborted }; },
  });
  const calls = [{ id: "1", name: "look", input: '{"n":"7"}' }, { id: "2", name: "look", input: {} }];
  const outputs = (results) => JSON.stringify(results.map((result) => result.output ?? result.error.code));
`;
const expected = JSON.stringify([{ n: 7, at: "here", aborted: false }, "invalid-input"]);

test("a dispatcher runs where nothing of Node is", async () => {
  const answer = await runOnTheEdge(
    `import { liveTools } from "@hasp/mcp/live"; import { informationFlow } from "@hasp/runtime/flow"; import { buildTool, createDispatcher } from "@hasp/runtime"; import { toToolResultBlocks } from "@hasp/runtime/anthropic"`,
    `${tool}
    const server = { server: "s", tools: [{ name: "find", inputSchema: { type: "object" }, execute: () => "ok" }] };
    const dispatcher = createDispatcher({ tools: [look], extensions: [informationFlow, liveTools([server])], onEvent: () => undefined });
    const results = await dispatcher.dispatch(calls);
    return [outputs(results), toToolResultBlocks(results).length, dispatcher.definitions("anthropic").length, dispatcher.definitionsDigest("mcp").length];`,
  );
  expect([...(answer as unknown[])]).toEqual([expected, 2, 2, 64]);
});

test("so does a generated registry", async () => {
  const answer = await runOnTheEdge(
    `import { buildTool, createDispatcher } from "@hasp/runtime"; import { createRegistry } from "@hasp/runtime/codegen/v1"`,
    `${tool}
    return outputs(await createDispatcher({ tools: createRegistry({ look: () => look }, { unlocked: false }) }).dispatch(calls));`,
  );
  expect(answer).toBe(expected);
});
