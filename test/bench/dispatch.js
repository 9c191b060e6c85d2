import { resolve } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { Ajv2020 } from "ajv/dist/2020.js";
import { measureCall, measureProcess, printTable } from "./measure.js";

const schema = {
  type: "object",
  required: ["id", "name", "kind", "limit"],
  properties: {
    id: { type: "string", pattern: "^[a-z0-9-]+$" },
    name: { type: "string", minLength: 1, maxLength: 80 },
    kind: { enum: ["user", "group", "robot"] },
    limit: { type: "integer", minimum: 1, maximum: 1000 },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    active: { type: "boolean" },
  },
};
const text = JSON.stringify({ id: "a-1", name: "Ada", kind: "user", limit: 10, ratio: 0.5, active: true });

function makeTool(name) {
  return buildTool({
    name,
    description: "Does nothing.",
    input: schema,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    validate: [{ that: (input) => input.limit > 0, message: "limit must be positive" }],
    execute: () => "done",
  });
}

/** The dispatcher with a tool that does nothing: what one call costs beside its work. */
export default async function run() {
  const tool = makeTool("nothing");
  const plain = createDispatcher({ tools: [tool] });
  const hooked = createDispatcher({ tools: [tool], hooks: { transform: () => undefined, guard: () => undefined, post: () => undefined } });
  const batch = (size) => Array.from({ length: size }, (_call, index) => ({ id: `c${index}`, name: "nothing", input: text }));
  const perCall = async (dispatcher, size, inner) => (await measureCall(() => dispatcher.dispatch(batch(size)), { inner })) / size;
  const validate = new Ajv2020().compile(schema);
  const ajv = await measureCall(() => validate(JSON.parse(text)), { inner: 20_000 });
  const rows = [
    ["JSON.parse and Ajv, nothing else", ajv],
    ["dispatch, batch of 10", await perCall(plain, 10, 500)],
    ["dispatch, batch of 10, every hook", await perCall(hooked, 10, 500)],
    ["dispatch, turn of 1000", await perCall(plain, 1000, 5)],
  ];
  printTable("one call of a tool that does nothing", ["", "µs", "ratio"], rows.map(([name, figure]) => [name, figure.toFixed(2), (figure / ajv).toFixed(1)]));

  const many = createDispatcher({ tools: Array.from({ length: 100 }, (_tool, index) => makeTool(`tool_${index}`)) });
  const definitions = await measureCall(() => void many.definitions("anthropic"), { inner: 10_000 });
  printTable("definitions of 100 tools", ["", "µs"], [["definitions()", definitions.toFixed(3)]]);

  const bare = measureProcess(["-e", ""], { runs: 9 });
  const runtime = resolve(import.meta.dirname, "../../packages/runtime/dist/index.js");
  const imported = measureProcess(["--input-type=module", "-e", `await import(${JSON.stringify(runtime)})`], { runs: 9 });
  printTable("import of @hasp/runtime in a fresh process", ["", "ms"], [
    ["bare node", bare.milliseconds.toFixed(0)],
    ["with the runtime", imported.milliseconds.toFixed(0)],
  ]);
}
