import { resolve } from "node:path";
import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { readOwnMember, toList, isList, isObject } from "@hasp/base/json";
import { createLayout, chooseGeneratedNames } from "@hasp/compiler/layout";
import type { ImportSource } from "../importers/source/importer.js";
import { toSlashPath } from "@hasp/project";
import { makeUserFile } from "@hasp/project/output";
import { readProjectPlan } from "@hasp/project/read";
import { sessionDiagnostics } from "@hasp/project/session";
import type { ImportedSpec } from "./put-settings.js";

interface BridgeSettings {
  readonly root: string;
  readonly folder: string;
  readonly config: string | undefined;
  /** The module, as the command line names it. */
  readonly module: string;
}

/**
 * Creates a handler for each imported tool whose module can execute it. Existing handlers stay. `bridged` are the tools
 * whose handlers call the module now.
 */
export async function writeBridges(
  states: readonly ImportedSpec[],
  { document }: ImportSource,
  { root, folder, config, module }: BridgeSettings,
): Promise<{
  readonly created: readonly string[];
  readonly bridged: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { value: project } = await readProjectPlan(root, config);
  const layout = createLayout({ outDir: "src/generated", handlersDir: "src/tools", ...project?.plan });
  const names = chooseGeneratedNames(states.map(({ tool }) => tool.name));
  const tools = readOwnMember(document.value, "tools");
  const created: string[] = [];
  const bridged = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { tool } of states) {
    const own = names.get(tool.name);
    const { origin } = tool.spec;
    const source = toList(tools)
      .filter(isObject)
      .find((each) => isObject(origin) && each["export"] === origin["export"]);
    if (own === undefined || source === undefined || !canExecute(source)) continue;
    const path = layout.handler(own);
    const text = printBridge(source, {
      type: `${own.pascal}Handler`,
      types: layout.importPath(path, layout.toolModule(own)),
      module: layout.importPath(path, toSlashPath(root, resolve(folder, module))),
    });
    const made = await makeUserFile(root, path, text);
    if (made.state === "written" || made.state === "unchanged") bridged.add(tool.name);
    if (made.state === "written") created.push(path);
    else if (made.state === "failed") {
      diagnostics.push(sessionDiagnostics("cannot-write", undefined, { path, reason: made.reason }));
    }
  }
  return { created, bridged, diagnostics };
}

function canExecute({ functions }: JsonObject): boolean {
  return isList(functions) && functions.includes("execute");
}

function printBridge(
  { export: path, inputMember, isJsonSchema }: JsonObject,
  { type, types, module }: { readonly type: string; readonly types: string; readonly module: string },
): string {
  const [name = "", ...rest] = String(path).split(".");
  // The name of a member may have dots of its own.
  const member = rest.length > 0 ? rest.join(".") : undefined;
  const local = member === undefined ? "source" : name;
  const imported = name === "default" ? local : name === local ? `{ ${name} }` : `{ ${name} as ${local} }`;
  const tool = member === undefined ? local : `${local}[${JSON.stringify(member)}]`;
  const schema = String(inputMember);
  const { types: ownTypes, check, parse, isFit, value, faults } = isJsonSchema === true ? CHECKED : PARSED;
  return `import { toolResult } from "@hasp/runtime";
import type { ${type} } from "${types}";
import ${imported} from "${module}";

${ownTypes}
/** The module's own tool. Its schema also changes and checks what the spec cannot express. */
const tool = ${tool} as unknown as {
  readonly ${schema}: { ${check} };
  execute(input: never, options: object): unknown;
};

export const execute: ${type}["execute"] = async (input, { callId, signal, context }) => {
  const parsed = await tool.${schema}${parse}(input);
  if (${isFit}) {
    const options = { toolCallId: callId, messages: [], abortSignal: signal, context, experimental_context: context };
    return lastOf(tool.execute(${value}, options));
  }
${faults}
  const content = ["The input is refused; nothing was run. Correct it and call again:", ...faults].join("\\n- ");
  return toolResult({ isError: true, code: "invalid-input", effect: "none", content });
};

/** Returns the answer, or the last value that it yields if it is a generator. */
async function lastOf(answer: unknown): Promise<never> {
  const whole = await answer;
  if (typeof whole !== "object" || whole === null || !(Symbol.asyncIterator in whole)) return whole as never;
  let last: unknown;
  for await (const each of whole as AsyncIterable<unknown>) last = each;
  return last as never;
}
`;
}

/** The TypeScript by which a handler parses the input again: by a Standard Schema. */
const PARSED = {
  types: `type Parsed = { readonly value: never; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
type Issue = { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] };
`,
  check: 'readonly "~standard": { validate(input: unknown): Parsed | Promise<Parsed> }',
  parse: '["~standard"].validate',
  isFit: "parsed.issues === undefined",
  value: "parsed.value",
  faults: `  const faults = parsed.issues.map(({ message, path = [] }) => {
    const place = path.map((part) => "/" + String(typeof part === "object" ? part.key : part)).join("");
    return place === "" ? message : place + ": " + message;
  });`,
};

/** The same by the check that a schema of the AI SDK may have. */
const CHECKED: typeof PARSED = {
  types: `type Parsed = { readonly success: true; readonly value: never } | { readonly success: false; readonly error: Error };
`,
  check: "validate?(input: unknown): Parsed | Promise<Parsed>",
  parse: ".validate?.",
  isFit: "parsed?.success !== false",
  value: "parsed === undefined ? (input as never) : parsed.value",
  faults: "  const faults = [parsed.error.message];",
};
