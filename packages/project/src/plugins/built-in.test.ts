import { builtIn } from "@hasp/builtin";
import { compile, type SourceText } from "@hasp/compiler";
import { completePlan } from "@hasp/compiler/model";
import { joinPlugins } from "@hasp/compiler/plugins";
import { expect, test } from "vitest";
import { builtInPlugins } from "./built-in.js";

const declaring = (name: string, handler: string): SourceText => ({
  uri: `specs/${name}.tool.yaml`,
  role: "spec",
  text: `hasp: 1
name: ${name}
description: Finds the orders of one customer, newest first.
input: { type: object, properties: { customer: { type: string, description: The customer's number. } }, required: [customer] }
handler: ${handler}
`,
});

const HTTP = declaring("find_orders", "{ http: { connection: api, method: GET, path: '/orders/{customer}' } }");
const MCP = declaring("find_old_orders", "{ mcp: { connection: archive, tool: find } }");
const PLAN = completePlan({
  unlocked: true,
  connections: { api: { http: { baseUrl: "https://api.example.com" } }, archive: { mcp: { command: ["archive"] } } },
});

test("without the plugin of a kind, all specs but those that declare it still build", async () => {
  const plugins = joinPlugins(builtIn.filter(({ name }) => name !== "mcp"));
  // The connection of the missing kind then belongs to no plugin.
  const { diagnostics, files } = await compile([HTTP, MCP], PLAN, { plugins, keepGoing: true });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, tool, location }) => [code, tool, location?.uri, location?.pointer])).toEqual([
    ["handler/unknown-kind", "find_old_orders", "specs/find_old_orders.tool.yaml", "/handler/mcp"],
  ]);
  const { connections: { api } = {} } = PLAN;
  const plan = { ...PLAN, ...(api && { connections: { api } }) };
  const alone = await compile([HTTP], plan, { plugins: builtInPlugins });
  const paths = (built: typeof files): readonly string[] => built.map(({ path }) => path);
  expect(paths(files)).toEqual(paths(alone.files));
});

test("a handler kind of any plugin that is passed as code proves its effects", async () => {
  const effects = [{ verdict: "reads", reason: "asks the archive", at: "/connection" } as const];
  const proving = builtIn.map((plugin) => ({
    ...plugin,
    name: `acme-${plugin.name}`,
    handlerKinds: (plugin.handlerKinds ?? []).map((kind) => ({
      ...kind,
      load: async () => ({ ...(await kind.load()), effects: () => effects }),
    })),
  }));
  const { tools } = await compile([MCP], PLAN, { plugins: joinPlugins(proving), emits: false });
  expect(tools.map((tool) => tool.effects)).toEqual([effects]);
});

test("joinPlugins refuses two kinds of one name, and two plugins that emit", () => {
  const [, handlers, mcp] = builtIn;
  if (handlers === undefined || mcp === undefined) return expect.fail("hasp has plugins with kinds");
  expect(() => joinPlugins([handlers, mcp, { name: "acme", handlerKinds: mcp.handlerKinds ?? [] }])).toThrow(
    'Two plugins declare the handler kind "mcp".',
  );
  expect(() =>
    joinPlugins([...builtIn, ...builtIn.map(({ name, emit }) => ({ name, ...(emit && { emit }) }))]),
  ).toThrow("Two plugins emit files, but a build has one manifest.");
});
