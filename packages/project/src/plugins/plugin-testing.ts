import type { ToolResult } from "@hasp/runtime";
import { kindHandler } from "@hasp/runtime/codegen/v1";
import type { JsonObject, JsonValue } from "@hasp/schema";
import {
  compile,
  type CompileResult,
  type Plugins,
  type SourceText,
  type CompilePlan,
  type DialectPlan,
} from "@hasp/compiler";
import { printThrown } from "@hasp/base/diagnostics";
import { completePlan, declarationOf, isFixedRule } from "@hasp/compiler/model";
import { readPluginShape, buildModel, type ForeignPlugins, readFiles, joinPlugins } from "@hasp/compiler/plugins";
import type { ModelEmitter, PluginDialect, PluginHandlerKind, Rule } from "@hasp/compiler/plugin";
import { expectPluginSettings, runHandler } from "@hasp/builtin/tests";
import { withoutRules } from "./built-in.js";
import { describePlugin, PartError } from "./describe-plugin.js";
import { checkWithPlugin } from "./run-plugin.js";

/**
 * Tests a rule by its own examples: each bad one must draw the messages that it names, each good one none, and every
 * message must be drawn. Throws an error that lists the differences.
 */
export async function testRule(rule: Rule): Promise<void> {
  const { bad, good } = rule.examples;
  const problems: string[] = [];
  const drawn = new Set<string>();
  const examples = [
    ...bad.map((example, index) => ({ ...example, title: `bad example ${index + 1}` })),
    ...good.map((example, index) => ({
      ...(typeof example === "string" ? { spec: example } : example),
      reports: [],
      title: `good example ${index + 1}`,
    })),
  ];
  for (const { title, spec, reports, plan } of examples) {
    const found = await findMessages(rule, spec, plan);
    for (const name of found) drawn.add(name);
    const [is, wanted] = [found, reports].map((names) => JSON.stringify([...names].toSorted()));
    if (is !== wanted) problems.push(`${title} reports ${is} and not ${wanted}`);
  }
  if (bad.length === 0) problems.push("it has no bad example");
  if (good.length === 0) problems.push("it has no good example");
  for (const name of Object.keys(rule.messages)) {
    if (!drawn.has(name)) problems.push(`no bad example draws the message "${name}"`);
  }
  if (problems.length > 0) throw new Error(`${rule.id}: ${problems.join("; ")}.`);
}

/** Returns the names of the messages that a rule reports about a spec. Throws if the spec has errors without the rule. */
async function findMessages(rule: Rule, spec: string, settings: Partial<CompilePlan> = {}): Promise<readonly string[]> {
  const judged = rule.severity === "off" && !isFixedRule(rule) ? { [rule.id]: "warning" as const } : {};
  const plan = completePlan({ dialects: [], toolsets: [], today: "2026-01-01", rules: judged, ...settings });
  const source = sourceOf(spec);
  const messages = Object.entries(rule.messages).map(([name, text]) => [name, `${name}\n${text}`] as const);
  const named = { ...rule, messages: Object.fromEntries(messages) };
  const tested = { name: "test", rules: [named] };
  try {
    // As in a worker, where the model is frozen.
    await checkWithPlugin(tested, { sources: [source], plan }, () => undefined);
  } catch (error) {
    throw error instanceof PartError ? new Error(`${rule.id} throws: ${printThrown(error.reason)}`) : error;
  }
  const { diagnostics } = await compileExample([source], plan, joinPlugins([...withoutRules, tested]));
  return diagnostics
    .filter(({ code }) => code === rule.id || code.startsWith("check/"))
    .map(({ code, message }) => (code === rule.id ? (message.split("\n")[0] ?? "") : `${code}: ${message}`));
}

/** Runs an emitter twice over specs. Both runs must give the same files, at valid paths. Returns the texts by path. */
export async function testEmitter(
  emitter: ModelEmitter,
  specs: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const sources = specs.map((spec, index) => sourceOf(spec, index));
  const { tools, toolsets } = await compileExample(sources, completePlan({}));
  const [first, second] = [
    await emitter.emit(buildModel(tools, toolsets)),
    await emitter.emit(buildModel(tools, toolsets)),
  ];
  if (JSON.stringify(first) !== JSON.stringify(second)) {
    throw new Error(`${emitter.name}: the same model gives other files the second time.`);
  }
  const files = readFiles(first as unknown as JsonValue, "out", []);
  if (typeof files === "string") throw new Error(`${emitter.name}: ${files}`);
  return Object.fromEntries(files.map(({ path, text }) => [path.slice("out/".length), text]));
}

/**
 * Tests a dialect: every keyword of JSON Schema in every place must be kept, reworded or reported as lost, and every
 * value must come back unchanged. Returns the entries of the specs, by tool. Throws an error that lists the faults.
 */
export async function testDialect(
  dialect: PluginDialect,
  specs: readonly string[],
): Promise<Readonly<Record<string, JsonObject>>> {
  const [plugin = ""] = dialect.id.split("/");
  const shape = readPluginShape(describePlugin({ name: plugin, dialects: [dialect] }));
  if ("problem" in shape) throw new Error(`${dialect.id}: ${shape.problem}`);
  const plan: DialectPlan = { id: dialect.id, strict: false, onUncarried: "error", foreign: dialect };
  const { toolsets, diagnostics } = await compileExample(specs.map(sourceOf), completePlan({ dialects: [plan] }));
  const refused = diagnostics.find(({ code, severity }) => severity === "error" && code.startsWith("lower/"));
  if (refused !== undefined) throw new Error(`${dialect.id}: ${refused.message}`);
  const listed = toolsets.flatMap(({ lists }) => lists).flatMap(({ tools }) => tools);
  return Object.fromEntries(listed.map(({ tool, definition }) => [tool.name, definition]));
}

/** Calls a tool as an agent does, with the permission for it. */
type TestedTool = (input: JsonObject, context?: JsonObject) => Promise<ToolResult>;

/**
 * Tests that specs can declare handlers of a kind, and returns their tools by name. A call goes through the dispatcher
 * to `run`, the function that the kind's package exports. Throws an error that lists the faults.
 */
export async function testHandlerKind(
  kind: PluginHandlerKind,
  run: Parameters<typeof kindHandler>[0],
  specs: readonly string[],
): Promise<Readonly<Record<string, TestedTool>>> {
  const [plugin = ""] = kind.name.split("/");
  const shape = readPluginShape(describePlugin({ name: plugin, handlerKinds: [kind] }));
  if ("problem" in shape) throw new Error(`${kind.name}: ${shape.problem}`);
  const plugins = [{ ...shape, module: plugin, digest: "" }];
  const plan = completePlan({ plugins, context: { file: "context.ts", type: "Context" } });
  const foreign: ForeignPlugins = { ask: async () => ({ value: [] }) };
  const own = joinPlugins(withoutRules, foreign);
  const { tools, diagnostics } = await compileExample(specs.map(sourceOf), plan, own);
  const refused = diagnostics.find(({ code, severity }) => severity === "error" && code.startsWith("handler/"));
  if (refused !== undefined) throw new Error(`${kind.name}: ${refused.message}`);
  return Object.fromEntries(
    tools.flatMap((tool) => {
      const declared = declarationOf(tool.spec);
      if (declared?.key !== kind.name) return [];
      const settings = expectPluginSettings(declared.declaration, tool) as unknown as Parameters<typeof kindHandler>[1];
      const execute = kindHandler(run, settings);
      const call: TestedTool = async (input, context = {}) =>
        runHandler(tool, { path: "", execute, plan, kinds: own.handlerKinds }, { input, context });
      return [[tool.name, call]];
    }),
  );
}

function sourceOf(text: string, index = 0): SourceText {
  const isList = /^tools:/mu.test(text);
  const name = index === 0 ? "one" : `example-${index}`;
  return { uri: isList ? `specs/${name}.tools.yaml` : `specs/${name}.tool.yaml`, text, role: "spec" };
}

/** Compiles examples. Throws if they have errors, but requires no approvals. */
async function compileExample(
  sources: readonly SourceText[],
  plan: CompilePlan,
  plugins: Plugins = joinPlugins(withoutRules),
): Promise<CompileResult> {
  const result = await compile(sources, { ...plan, unlocked: true }, { emits: false, plugins });
  const fault = result.diagnostics.find(
    ({ code, severity }) =>
      severity === "error" &&
      /^(?:load|resolve|flatten|schema)\//u.test(code) &&
      plugins.rules.every(({ id }) => id !== code),
  );
  if (fault !== undefined) throw new Error(`An example is no valid spec: ${fault.message} (${fault.code})`);
  return result;
}
