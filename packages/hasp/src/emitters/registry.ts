import { asComment } from "../typescript/doc-comment.js";
import { groupBy } from "../typescript/group-by.js";
import { importStatement } from "../typescript/import-statement.js";
import type { GeneratedNames } from "../typescript/names.js";
import { propertyKey } from "../typescript/string-literal.js";
import { type BuildToEmit, type Emitter, partOf } from "./emitter.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { header } from "./header.js";
import { importPath, type Layout } from "./layout.js";

/** What the registry must know of a tool beside its names. */
type RegistryPart = { readonly isLazy: boolean; readonly featureGate: string | null };

/** `registry.ts`: every tool with its types and its handler, one line a tool. */
export const registry: Emitter<RegistryPart> = {
  name: "registry",
  part: ({ tool }) => ({ isLazy: isLoadedOnFirstCall(tool), featureGate: tool.spec.visibility?.featureGate ?? null }),
  files: (build, parts) => {
    const tools = build.tools.map((tool) => ({ ...tool, ...partOf(parts, tool.name) }));
    return [{ path: build.layout.registry, owner: "hasp", text: registryText(tools, build) }];
  },
};

interface RegisteredTool extends RegistryPart {
  readonly name: string;
  readonly names: GeneratedNames;
}

function registryText(tools: readonly RegisteredTool[], { layout, plan }: BuildToEmit): string {
  const lazy = tools.filter(({ isLazy }) => isLazy);
  const eager = tools.filter(({ isLazy }) => !isLazy);
  const gates = groupBy([...new Set(tools.flatMap(({ featureGate }) => featureGate ?? []))].toSorted(), gateName);
  const sections = [
    header("the specs"),
    [
      importStatement(
        [...(lazy.length > 0 ? ["bindLazyTool"] : []), ...(eager.length > 0 ? ["bindTool"] : []), "createRegistry", "type Registry"],
        "@hasp/runtime/codegen",
      ),
      ...eager.map((tool) => handlerImport(tool, layout)),
      ...tools.map((tool) => specImport(tool, layout)),
    ].join("\n"),
    ...[...gates].map(([name, of]) => gateConstant(name, of)),
    ...lazy.map((tool) => loader(tool, layout)),
    toolsInterface(tools),
    "/** The name of a tool. */\nexport type ToolName = keyof Tools;",
    `/** The project's tools, each with its handler. */\nexport const registry: Registry<Tools> = createRegistry<Tools>(\n  ${entries(tools)},\n  { unlocked: ${String(plan.unlocked)} },\n);`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function handlerImport({ names }: RegisteredTool, layout: Layout): string {
  return `import * as ${names.camel}Handler from "${importPath(layout.registry, layout.handler(names))}";`;
}

function specImport({ names }: RegisteredTool, layout: Layout): string {
  return importStatement([`${names.camel}Spec`, `type ${names.pascal}Types`], importPath(layout.registry, layout.toolModule(names)));
}

function gateConstant(name: string, gates: readonly string[]): string {
  const declaration = `declare const ${name}: boolean | undefined;`;
  const named = gates.map((gate) => `"${asComment(gate).replaceAll("\n", " ")}"`).join(", ");
  return `// A bundler that defines this name as \`false\` leaves out the handlers behind ${named}.\n${declaration.length <= 80 ? declaration : `declare const ${name}:\n  boolean | undefined;`}`;
}

/** The constant behind which a bundler can drop what a gate shuts. */
function gateName(gate: string): string {
  return `HASP_FEATURE_${gate.replaceAll(/[^A-Za-z0-9]/gu, "_").toUpperCase()}`;
}

function loader({ names }: RegisteredTool, layout: Layout): string {
  return `function ${loaderName(names)}() {\n  return import("${importPath(layout.registry, layout.handler(names))}");\n}`;
}

function loaderName({ pascal }: GeneratedNames): string {
  return `load${pascal}Handler`;
}

function toolsInterface(tools: readonly RegisteredTool[]): string {
  const members = tools.map(({ name, names }) => `  readonly ${propertyKey(name)}: ${names.pascal}Types;\n`);
  return `/** Every tool of this project by name, with its types. */\nexport interface Tools {${members.length === 0 ? "" : `\n${members.join("")}`}}`;
}

function entries(tools: readonly RegisteredTool[]): string {
  if (tools.length === 0) return "{}";
  return `{\n${tools.map((tool) => `    ${entry(tool)},\n`).join("")}  }`;
}

function entry({ name: toolName, names, isLazy, featureGate }: RegisteredTool): string {
  const { camel } = names;
  const [bind, handler] = isLazy ? ["bindLazyTool", loaderName(names)] : ["bindTool", `${camel}Handler`];
  const key = propertyKey(toolName);
  const flatCall = `${bind}(${camel}Spec, ${handler})`;
  const brokenCall = (indent: string): string => `${bind}(\n${indent}  ${camel}Spec,\n${indent}  ${handler},\n${indent})`;
  if (featureGate === null) {
    if (4 + key.length + 2 + flatCall.length + 1 <= 80) return `${key}: ${flatCall}`;
    if (4 + key.length + 2 + `${bind}(`.length <= 80) return `${key}: ${brokenCall("    ")}`;
    return `${key}:\n      ${6 + flatCall.length + 1 <= 80 ? flatCall : brokenCall("      ")}`;
  }
  const name = gateName(featureGate);
  const call = 10 + flatCall.length <= 80 ? flatCall : brokenCall("          ");
  return [
    `${key}:`,
    `      ${gateCondition(name)}`,
    `        ? ${call}`,
    "        : undefined",
  ].join("\n");
}

/** True unless a bundler says otherwise; broken where prettier breaks it. */
function gateCondition(name: string): string {
  const test = `typeof ${name} === "undefined" ||`;
  if (6 + test.length + 1 + name.length <= 80) return `${test} ${name}`;
  const first = 6 + test.length <= 80 ? test : `typeof ${name} ===\n        "undefined" ||`;
  return `${first}\n      ${name}`;
}
