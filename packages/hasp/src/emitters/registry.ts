import { dataProperty } from "../typescript/data-literal.js";
import { asComment } from "../typescript/doc-comment.js";
import { groupBy } from "../model/group-by.js";
import { importStatement } from "../typescript/import-statement.js";
import type { GeneratedNames } from "../typescript/names.js";
import { propertyKey } from "../typescript/string-literal.js";
import type { EmittedToolset, Emitter, EmitPlan, ToolToEmit } from "./emitter.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { header } from "./header.js";
import { importPath, wholeToolset, type Layout } from "./layout.js";

/** What the registry says of a tool, each with its line break. */
type RegistryPart = {
  readonly isLazy: boolean;
  readonly featureGate: string | null;
  /** The import of the handler, or the function that imports it. */
  readonly handler: string;
  /** The import of the tool's spec and types. */
  readonly spec: string;
  /** Its line in `Tools`. */
  readonly member: string;
  /** Its line in the registry. */
  readonly entry: string;
};

/** `registry.ts`: every tool with its types and its handler, one line a tool. */
export const registry: Emitter<RegistryPart> = {
  name: "registry",
  part: ({ tool, names, layout }) => {
    const isLazy = isLoadedOnFirstCall(tool);
    const featureGate = tool.spec.visibility?.featureGate ?? null;
    return {
      isLazy,
      featureGate,
      handler: `${isLazy ? loader(names, layout) : handlerImport(names, layout)}\n`,
      spec: `${specImport(names, layout)}\n`,
      member: `  readonly ${propertyKey(tool.name)}: ${names.pascal}Types;\n`,
      entry: `    ${entry(tool, names, isLazy, featureGate)},\n`,
    };
  },
  files: ({ tools, toolsets, layout, plan }, partOf) => [
    {
      path: layout.registry,
      owner: "hasp",
      pieces: [
        ...registryPieces(
          tools.map(({ name }) => partOf(name)),
          plan,
        ),
        ...toolsetPieces(toolsets),
      ],
    },
  ],
};

function registryPieces(tools: readonly RegistryPart[], { unlocked }: Pick<EmitPlan, "unlocked">): readonly string[] {
  const lazy = tools.filter(({ isLazy }) => isLazy);
  const eager = tools.filter(({ isLazy }) => !isLazy);
  const gates = groupBy([...new Set(tools.flatMap(({ featureGate }) => featureGate ?? []))].toSorted(), gateName);
  const runtime = importStatement(
    [
      ...(lazy.length > 0 ? ["bindLazyTool"] : []),
      ...(eager.length > 0 ? ["bindTool"] : []),
      "createRegistry",
      "type Registry",
    ],
    "@hasp/runtime/codegen/v1",
  );
  const isEmpty = tools.length === 0;
  return [
    `${header("the specs")}\n\n${runtime}\n`,
    ...eager.map(({ handler }) => handler),
    ...tools.map(({ spec }) => spec),
    "\n",
    ...[...gates].map(([name, of]) => `${gateConstant(name, of)}\n\n`),
    ...lazy.flatMap(({ handler }) => [handler, "\n"]),
    "/** Every tool of this project by name, with its types. */\n",
    isEmpty ? "export interface Tools {" : "export interface Tools {\n",
    ...tools.map(({ member }) => member),
    "}\n\n/** The name of a tool. */\nexport type ToolName = keyof Tools;\n\n",
    "/** The project's tools, each with its handler. */\n",
    "export const registry: Registry<Tools> = createRegistry<Tools>(\n",
    isEmpty ? "  {" : "  {\n",
    ...tools.map((tool) => tool.entry),
    isEmpty ? "},\n" : "  },\n",
    `  { unlocked: ${String(unlocked)} },\n);\n`,
  ];
}

/** The members of each toolset that the configuration names; nothing where it names none. */
function toolsetPieces(toolsets: readonly EmittedToolset[]): readonly string[] {
  if (toolsets.every(({ name }) => name === wholeToolset)) return [];
  return [
    "\n/** The tools of each toolset: `registry.pick(toolsets.…)` offers and runs no other. */\nexport const toolsets = {\n",
    ...toolsets.map((toolset) => `  ${dataProperty(toolset.name, membersOf(toolset), 2)},\n`),
    "} as const;\n",
  ];
}

/** A tool that one dialect cannot carry is a member all the same. */
function membersOf({ lists }: EmittedToolset): readonly string[] {
  return [...new Set(lists.flatMap(({ tools, excluded }) => [...tools, ...excluded]))].toSorted();
}

function handlerImport(names: GeneratedNames, layout: Layout): string {
  return `import * as ${names.camel}Handler from "${importPath(layout.registry, layout.handler(names))}";`;
}

function specImport(names: GeneratedNames, layout: Layout): string {
  return importStatement(
    [`${names.camel}Spec`, `type ${names.pascal}Types`],
    importPath(layout.registry, layout.toolModule(names)),
  );
}

function gateConstant(name: string, gates: readonly string[]): string {
  const declaration = `declare const ${name}: boolean | undefined;`;
  const named = gates.map((gate) => `"${asComment(gate).replaceAll("\n", " ")}"`).join(", ");
  return [
    `// A bundler that defines this name as \`false\` leaves out the handlers behind ${named}.`,
    declaration.length <= 80 ? declaration : `declare const ${name}:\n  boolean | undefined;`,
  ].join("\n");
}

/** The constant behind which a bundler can drop what a gate shuts. */
function gateName(gate: string): string {
  return `HASP_FEATURE_${gate.replaceAll(/[^A-Za-z0-9]/gu, "_").toUpperCase()}`;
}

function loader(names: GeneratedNames, layout: Layout): string {
  const path = importPath(layout.registry, layout.handler(names));
  return `function ${loaderName(names)}() {\n  return import("${path}");\n}`;
}

function loaderName({ pascal }: GeneratedNames): string {
  return `load${pascal}Handler`;
}

function entry(
  { name: toolName }: ToolToEmit["tool"],
  names: GeneratedNames,
  isLazy: boolean,
  featureGate: string | null,
): string {
  const { camel } = names;
  const [bind, handler] = isLazy ? ["bindLazyTool", loaderName(names)] : ["bindTool", `${camel}Handler`];
  const key = propertyKey(toolName);
  const flatCall = `${bind}(${camel}Spec, ${handler})`;
  const brokenCall = (indent: string): string =>
    `${bind}(\n${indent}  ${camel}Spec,\n${indent}  ${handler},\n${indent})`;
  if (featureGate === null) {
    if (4 + key.length + 2 + flatCall.length + 1 <= 80) return `${key}: ${flatCall}`;
    if (4 + key.length + 2 + `${bind}(`.length <= 80) return `${key}: ${brokenCall("    ")}`;
    return `${key}:\n      ${6 + flatCall.length + 1 <= 80 ? flatCall : brokenCall("      ")}`;
  }
  const name = gateName(featureGate);
  const call = 10 + flatCall.length <= 80 ? flatCall : brokenCall("          ");
  return [`${key}:`, `      ${gateCondition(name)}`, `        ? ${call}`, "        : undefined"].join("\n");
}

/** True unless a bundler says otherwise; broken where prettier breaks it. */
function gateCondition(name: string): string {
  const test = `typeof ${name} === "undefined" ||`;
  if (6 + test.length + 1 + name.length <= 80) return `${test} ${name}`;
  const first = 6 + test.length <= 80 ? test : `typeof ${name} ===\n        "undefined" ||`;
  return `${first}\n      ${name}`;
}
