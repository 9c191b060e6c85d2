import { groupBy } from "../model/group-by.js";
import {
  code,
  type Code,
  joinCode,
  lineComment,
  literal,
  name,
  objectLiteral,
  propertyName,
} from "../typescript/code.js";
import { importStatement, typeNames } from "../typescript/declarations.js";
import type { GeneratedNames } from "../typescript/names.js";
import type { BuildToEmit, EmittedToolset, Emitter, PartOf } from "./base/emitter.js";
import { header } from "./header.js";
import { importPath, wholeToolset } from "./base/layout.js";
import { isLoadedOnFirstCall } from "./module-parts/handler-type.js";

/** What the registry must know of a tool beside its names. */
type RegistryPart = { readonly isLazy: boolean; readonly featureGate: string | null };

/** `registry.ts`: every tool with its types and its handler. */
export const registry: Emitter<RegistryPart> = {
  name: "registry",
  part: ({ tool }) => ({ isLazy: isLoadedOnFirstCall(tool), featureGate: tool.spec.visibility?.featureGate ?? null }),
  files: (build, partOf) => [{ path: build.layout.registry, owner: "hasp", code: registryCode(build, partOf) }],
};

/** A tool as the registry prints it. */
interface Registered extends RegistryPart {
  readonly name: string;
  readonly names: GeneratedNames;
  readonly handlerPath: string;
  readonly modulePath: string;
}

function registryCode({ tools, toolsets, layout, plan }: BuildToEmit, partOf: PartOf<RegistryPart>): Code {
  const registered = tools.map((tool): Registered => ({
    ...partOf(tool.name),
    ...tool,
    handlerPath: importPath(layout.registry, layout.handler(tool.names)),
    modulePath: importPath(layout.registry, layout.toolModule(tool.names)),
  }));
  const lazy = registered.filter(({ isLazy }) => isLazy);
  const eager = registered.filter(({ isLazy }) => !isLazy);
  const binders = [...(lazy.length > 0 ? ["bindLazyTool"] : []), ...(eager.length > 0 ? ["bindTool"] : [])];
  const runtime = [...binders, "createRegistry"].map((each) => ({ name: each }));
  const gates = [...new Set(registered.flatMap(({ featureGate }) => featureGate ?? []))].toSorted();
  const imports = [
    importStatement([...runtime, ...typeNames(["Registry"])], "@hasp/runtime/codegen/v1"),
    ...eager.map((tool) => code`import * as ${handlerName(tool)} from ${literal(tool.handlerPath)};`),
    ...registered.map(({ names, modulePath }) =>
      importStatement([{ name: `${names.camel}Spec` }, ...typeNames([`${names.pascal}Types`])], modulePath),
    ),
  ];
  const types = registered.map(
    (tool) => code`readonly ${propertyName(tool.name)}: ${name(`${tool.names.pascal}Types`)};`,
  );
  const entries = objectLiteral(Object.fromEntries(registered.map((tool) => [tool.name, entryCode(tool)])));
  return joinCode(
    [
      header("the specs"),
      joinCode(imports, "\n"),
      ...[...groupBy(gates, gateConstant)].map(([constant, of]) => gateDeclaration(constant, of)),
      ...lazy.map((tool) => code`function ${handlerName(tool)}() {\nreturn import(${literal(tool.handlerPath)});\n}`),
      code`/** Every tool of this project by name, with its types. */\nexport interface Tools {\n${joinCode(types, "\n")}\n}`,
      code`/** The name of a tool. */\nexport type ToolName = keyof Tools;`,
      code`/** The project's tools, each with its handler. */
export const registry: Registry<Tools> = createRegistry<Tools>(${entries}, { unlocked: ${literal(plan.unlocked)} });`,
      ...toolsetsCode(toolsets),
    ],
    "\n\n",
  );
}

/** The handler's module, or the function that imports it. */
function handlerName({ names, isLazy }: Registered): Code {
  return name(isLazy ? `load${names.pascal}Handler` : `${names.camel}Handler`);
}

function entryCode(tool: Registered): Code {
  const bind = name(tool.isLazy ? "bindLazyTool" : "bindTool");
  const call = code`${bind}(${name(`${tool.names.camel}Spec`)}, ${handlerName(tool)})`;
  if (tool.featureGate === null) return call;
  const gate = name(gateConstant(tool.featureGate));
  return code`typeof ${gate} === "undefined" || ${gate} ? ${call} : undefined`;
}

/** The constant that a bundler defines to drop what a gate shuts. */
export function gateConstant(gate: string): string {
  return `HASP_FEATURE_${gate.replaceAll(/[^A-Za-z0-9]/gu, "_").toUpperCase()}`;
}

function gateDeclaration(constant: string, gates: readonly string[]): Code {
  const named = gates.map((gate) => `"${gate}"`).join(", ");
  return code`${lineComment(`A bundler that defines this name as \`false\` leaves out the handlers behind ${named}.`)}
declare const ${name(constant)}: boolean | undefined;`;
}

/** The members of each toolset that the configuration names; nothing where it names none. */
function toolsetsCode(toolsets: readonly EmittedToolset[]): readonly Code[] {
  if (toolsets.every((toolset) => toolset.name === wholeToolset)) return [];
  const members = Object.fromEntries(toolsets.map((toolset) => [toolset.name, membersOf(toolset)]));
  return [
    code`/** The tools of each toolset: \`registry.pick(toolsets.…)\` offers and runs no other. */
export const toolsets = ${objectLiteral(members)} as const;`,
  ];
}

/** A tool that one dialect cannot carry is a member all the same. */
function membersOf({ lists }: EmittedToolset): readonly string[] {
  return [...new Set(lists.flatMap(({ tools, excluded }) => [...tools, ...excluded]))].toSorted();
}
