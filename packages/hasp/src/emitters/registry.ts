import type { FlatTool } from "../model/tool.js";
import { asComment } from "../typescript/doc-comment.js";
import { groupBy } from "../typescript/group-by.js";
import { importStatement } from "../typescript/import-statement.js";
import { propertyKey } from "../typescript/string-literal.js";
import type { Emitter, EmitModel } from "./emitter.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { header } from "./header.js";
import { importPath, type Layout } from "./layout.js";

/** `registry.ts`: every tool with its types and its handler, one line a tool. */
export const registry: Emitter = {
  name: "registry",
  emit: (model) => [{ path: model.layout.registry, owner: "hasp", text: registryText(model) }],
};

function registryText(model: EmitModel): string {
  const { tools, plan } = model;
  const gates = groupBy([...new Set(tools.flatMap((tool) => tool.spec.visibility?.featureGate ?? []))].toSorted(), gateName);
  const sections = [
    header("the specs"),
    [
      importStatement(
        [
          ...(tools.some(isLoadedOnFirstCall) ? ["bindLazyTool"] : []),
          ...(tools.every(isLoadedOnFirstCall) ? [] : ["bindTool"]),
          "createRegistry",
          "type Registry",
        ],
        "@hasp/runtime/codegen",
      ),
      ...tools.filter((tool) => !isLoadedOnFirstCall(tool)).map((tool) => handlerImport(tool, model)),
      ...tools.map((tool) => specImport(tool, model)),
    ].join("\n"),
    ...[...gates].map(([name, of]) => gateConstant(name, of)),
    ...tools.filter(isLoadedOnFirstCall).map((tool) => loader(tool, model)),
    toolsInterface(model),
    "/** The name of a tool. */\nexport type ToolName = keyof Tools;",
    `/** The project's tools, each with its handler. */\nexport const registry: Registry<Tools> = createRegistry<Tools>(\n  ${entries(model)},\n  { unlocked: ${String(plan.unlocked)} },\n);`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function handlerImport(tool: FlatTool, { layout }: EmitModel): string {
  return `import * as ${layout.names(tool.name).camel}Handler from "${importPath(layout.registry, layout.handler(tool.name))}";`;
}

function specImport(tool: FlatTool, { layout }: EmitModel): string {
  const { camel, pascal } = layout.names(tool.name);
  return importStatement([`${camel}Spec`, `type ${pascal}Types`], importPath(layout.registry, layout.toolModule(tool.name)));
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

function loader(tool: FlatTool, { layout }: EmitModel): string {
  const path = importPath(layout.registry, layout.handler(tool.name));
  return `function ${loaderName(tool, layout)}() {\n  return import("${path}");\n}`;
}

function loaderName(tool: FlatTool, layout: Layout): string {
  return `load${layout.names(tool.name).pascal}Handler`;
}

function toolsInterface({ tools, layout }: EmitModel): string {
  const members = tools.map(({ name }) => `  readonly ${propertyKey(name)}: ${layout.names(name).pascal}Types;\n`);
  return `/** Every tool of this project by name, with its types. */\nexport interface Tools {${members.length === 0 ? "" : `\n${members.join("")}`}}`;
}

function entries(model: EmitModel): string {
  if (model.tools.length === 0) return "{}";
  return `{\n${model.tools.map((tool) => `    ${entry(tool, model)},\n`).join("")}  }`;
}

function entry(tool: FlatTool, { layout }: EmitModel): string {
  const { camel } = layout.names(tool.name);
  const [bind, handler] = isLoadedOnFirstCall(tool) ? ["bindLazyTool", loaderName(tool, layout)] : ["bindTool", `${camel}Handler`];
  const key = propertyKey(tool.name);
  const gate = tool.spec.visibility?.featureGate;
  const flatCall = `${bind}(${camel}Spec, ${handler})`;
  const brokenCall = (indent: string): string => `${bind}(\n${indent}  ${camel}Spec,\n${indent}  ${handler},\n${indent})`;
  if (gate === undefined) {
    if (4 + key.length + 2 + flatCall.length + 1 <= 80) return `${key}: ${flatCall}`;
    if (4 + key.length + 2 + `${bind}(`.length <= 80) return `${key}: ${brokenCall("    ")}`;
    return `${key}:\n      ${6 + flatCall.length + 1 <= 80 ? flatCall : brokenCall("      ")}`;
  }
  const name = gateName(gate);
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
