import { expect, test } from "vitest";
import { createEquippedDispatcher as createDispatcher, callsOf, reader } from "../../dispatch/tools.testing.js";
import { FAIL_CLOSED_DEFAULTS } from "../../tool/fields.js";
import type { FlowSetting } from "../../tool/flow-setting.js";
import type { Tool } from "../../tool/definition.js";
import { bindTool } from "./bind-tool.js";
import { createRegistry, type Registry } from "./registry.js";
import type { ToolSpec, ToolTypes } from "./tool-spec.js";
import { createDispatcher as createBareDispatcher } from "../../dispatch/kernel.js";
import { informationFlow } from "../../extensions/flow/information-flow.js";

const names = ["look", "send", "wipe"] as const;
type Name = (typeof names)[number];
type Entries = { readonly [name in Name]: ToolTypes & { readonly name: name } };

function registryWith(
  flow?: FlowSetting,
  toolsetFlows?: readonly (readonly [FlowSetting, readonly string[]])[],
): Registry<Entries> {
  const bind = <Each extends Name>(name: Each): never => {
    const about = { name, description: "A tool.", handlerFile: `${name}.ts`, metadata: FAIL_CLOSED_DEFAULTS };
    const spec: ToolSpec = { ...about, input: () => ({ type: "object" }) };
    return bindTool(spec, { execute: () => "x" } as never) as never;
  };
  return createRegistry<Entries>(Object.fromEntries(names.map((name) => [name, () => bind(name)])) as never, {
    unlocked: false,
    ...(flow !== undefined && { flow }),
    ...(toolsetFlows !== undefined && { toolsetFlows }),
  });
}

type Listed = readonly Tool<never>[];

/** Finds out the setting of a dispatcher from what it does. */
async function settingIn(registered: Listed | Registry<Entries>, flow?: FlowSetting): Promise<string> {
  const page = reader("page", () => "x", { behavior: { returnsUntrusted: true, returnsPrivate: true } });
  const mail = reader("mail", () => "x", { behavior: { isOpenWorld: true } });
  const tools =
    "tools" in registered
      ? { ...registered, tools: [...registered.tools, page, mail] as Listed }
      : [...registered, page, mail];
  const dispatcher = createDispatcher({ tools, flow, extensions: [informationFlow] });
  await dispatcher.dispatch(callsOf("page"));
  const [sent] = await dispatcher.dispatch(callsOf("mail"));
  return sent?.error?.code === "flow"
    ? "ask"
    : (await dispatcher.use(informationFlow).labels()).length > 0
      ? "note"
      : "off";
}

test("a registry says nothing else: its setting is `note`", async () => {
  expect(registryWith().flow).toBe("note");
  expect(await settingIn(registryWith())).toBe("note");
});

test("a dispatcher takes the setting of its registry, and its own setting replaces that in both directions", async () => {
  for (const flow of ["off", "note", "ask"] as const) {
    expect(await settingIn(registryWith(flow))).toBe(flow);
    for (const own of ["off", "note", "ask"] as const) expect(await settingIn(registryWith(flow), own)).toBe(own);
  }
});

test("a selection has the setting of the toolset with exactly these tools, any other the strictest of all", () => {
  const registry = registryWith("note", [
    ["off", ["look"]],
    ["ask", ["look", "send"]],
  ]);
  expect(registry.flow).toBe("note");
  expect(registry.pick(["look"]).flow).toBe("off");
  expect(registry.pick(["send", "look"]).flow).toBe("ask");
  expect(registry.pick(["send"]).flow).toBe("ask");
  expect(registry.pick(["look", "send"]).pick(["look"]).flow).toBe("off");
  expect(registry.pick(["wipe", "look", "send"]).flow).toBe("note");
});

test("tools that a host lists beside its own keep the strictest setting of their registry", async () => {
  expect(await settingIn([...registryWith("ask").tools])).toBe("ask");
  expect(await settingIn([...registryWith("note", [["ask", ["look"]]]).tools])).toBe("ask");
  expect(await settingIn([...registryWith("off").tools])).toBe("off");
  expect(await settingIn([])).toBe("off");
});

test("a list of a registry's tools loses its extensions: under `ask`, each open-world call asks", async () => {
  const behavior = { ...FAIL_CLOSED_DEFAULTS.behavior, requiresPermission: false, isDestructive: false };
  const about = { name: "mail", description: "Sends.", handlerFile: "mail.ts" };
  const spec: ToolSpec = {
    ...about,
    metadata: { ...FAIL_CLOSED_DEFAULTS, behavior },
    input: () => ({ type: "object" }),
  };
  const entries = { mail: () => bindTool(spec, { execute: () => "sent" } as never) as never };
  const registry = createRegistry(entries, { unlocked: false, flow: "ask", extensions: [informationFlow] });
  const codes = async (tools: Listed | typeof registry): Promise<readonly (string | undefined)[]> => {
    const results = await createBareDispatcher({ tools: tools as Listed }).dispatch(callsOf("mail"));
    return results.map(({ error }) => error?.code);
  };
  expect(await codes(registry)).toEqual([undefined]);
  expect(await codes(registry.pick(["mail"]))).toEqual([undefined]);
  expect(await codes([...registry.tools])).toEqual(["flow"]);
});

test("a dispatcher with `flow: note` is refused without the extension that notes labels", () => {
  const options = { tools: [], flow: "note" } as const;
  expect(() => createBareDispatcher(options)).toThrow("needs the extension `informationFlow` of `@hasp/runtime/flow`");
  expect(() => createBareDispatcher({ ...options, extensions: [informationFlow] })).not.toThrow();
});
