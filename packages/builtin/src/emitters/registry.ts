import {
  code,
  type Code,
  joinCode,
  printLineList,
  literal,
  name,
  printObjectLiteral,
  propertyName,
  importStatement,
  typeNames,
} from "@hasp/compiler/code";
import { type GeneratedNames, groupSuffix, handlerFile, type Layout, CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import type { BuildToEmit, EmittedToolset, Emitter, FileDraft, PartOf } from "./base/emitter.js";
import { declareGates, printGated, printHeader } from "./base/module-text.js";
import { divideIntoGroups } from "./base/groups.js";
import { decideFlow } from "@hasp/runtime/contract";
import { wholeToolset } from "@hasp/compiler/model";
import { isLoadedOnFirstCall, type IsolationOptions, readIsolation } from "@hasp/compiler/run";

type RegistryPart = {
  readonly isLazy: boolean;
  readonly featureGate: string | null;
  readonly handlerFile: string;
  /** `null` if the handler runs in the host's process. */
  readonly isolation: IsolationOptions | null;
};

export const registry: Emitter<RegistryPart> = {
  name: "registry",
  part: ({ tool, names, layout }) => ({
    isLazy: isLoadedOnFirstCall(tool),
    featureGate: tool.spec.visibility?.featureGate ?? null,
    handlerFile: handlerFile(tool, names, layout),
    isolation: readIsolation(tool) ?? null,
  }),
  files: registryDrafts,
};

interface Registered extends RegistryPart {
  readonly name: string;
  readonly names: GeneratedNames;
  readonly handlerPath: string;
  readonly modulePath: string;
}

function registryDrafts(build: BuildToEmit, partOf: PartOf<RegistryPart>): readonly FileDraft[] {
  const { tools, layout } = build;
  const path = layout.registry;
  const groups = divideIntoGroups(tools, lineLength);
  const draft = (to: string, source: readonly Code[]): FileDraft => ({
    path: to,
    owner: "hasp",
    code: joinCode([printHeader("the specs"), ...source], "\n\n"),
  });
  const end = (entries: Code): readonly Code[] => [
    code`/** The name of a tool. */\nexport type ToolName = keyof Tools;`,
    ...toolsetsCode(build.toolsets),
    code`/** The project's tools, each with its handler. */
export const registry: Registry<Tools> = createRegistry<Tools>(${entries}, ${optionsCode(build)});`,
  ];
  const named = build.extensions.map((each) => importStatement([{ name: EXTENSIONS[each] }], CODEGEN_ENTRIES[each]));
  const [only] = groups;
  if (only === undefined || groups.length === 1) {
    const registered = tools.map((tool) => registeredIn(path, tool, partOf, layout));
    const imports = printImports(path, registered, ["createRegistry", "type Registry"], layout);
    return [
      draft(path, [
        joinCode([...imports, ...named], "\n"),
        ...printGateDeclarations(registered),
        ...printLocate(path, registered, layout),
        toolsInterface("Tools", registered),
        ...end(printEntries(registered)),
      ]),
      ...locationDrafts(path, registered, layout),
    ];
  }
  const parts = groups.map(({ prefix, items }) => {
    const to = layout.part(path, prefix);
    const suffix = groupSuffix(prefix);
    return { to, suffix, registered: items.map((tool) => registeredIn(to, tool, partOf, layout)) };
  });
  const imports = parts.map(({ to, suffix }) =>
    importStatement([{ name: `tools${suffix}` }, ...typeNames([`Tools${suffix}`])], layout.importPath(path, to)),
  );
  const interfaces = joinCode(
    parts.map(({ suffix }) => name(`Tools${suffix}`)),
    ", ",
  );
  const spreads = joinCode(
    parts.map(({ suffix }) => code`...${name(`tools${suffix}`)}`),
    ", ",
  );
  return [
    draft(path, [
      joinCode([...printImports(path, [], ["createRegistry", "type Registry"], layout), ...named, ...imports], "\n"),
      code`${TOOLS_COMMENT}export interface Tools extends ${interfaces} {}`,
      ...end(code`{ ${spreads} }`),
    ]),
    ...parts.map(({ to, suffix, registered }) =>
      draft(to, [
        ...printImports(to, registered, ["type RegistryEntries"], layout),
        ...printGateDeclarations(registered),
        ...printLocate(to, registered, layout),
        toolsInterface(`Tools${suffix}`, registered),
        code`export const ${name(`tools${suffix}`)}: RegistryEntries<${name(`Tools${suffix}`)}> = ${printEntries(registered)};`,
      ]),
    ),
    // All parts lie in one folder.
    ...locationDrafts(
      parts[0]?.to ?? path,
      parts.flatMap(({ registered }) => registered),
      layout,
    ),
  ];
}

function lineLength({ names }: { readonly names: GeneratedNames }): number {
  return names.camel.length * 9 + 150;
}

const TOOLS_COMMENT = code`/** Every tool of this project by name, with its types. */\n`;

function registeredIn(
  path: string,
  tool: BuildToEmit["tools"][number],
  partOf: PartOf<RegistryPart>,
  layout: Layout,
): Registered {
  const part = partOf(tool.name);
  return {
    ...part,
    ...tool,
    handlerPath: layout.importPath(path, part.handlerFile),
    modulePath: layout.importPath(path, layout.toolModule(tool.names)),
  };
}

/** Prints the imports for these tools; `further` are more names from the runtime. */
function printImports(
  path: string,
  registered: readonly Registered[],
  further: readonly string[],
  layout: Layout,
): readonly Code[] {
  const eager = registered.filter(({ isLazy }) => !isLazy);
  const runtime = [
    ...(eager.length < registered.length ? ["bindLazySpec"] : []),
    ...(eager.length > 0 ? ["bindSpec"] : []),
    ...further,
  ].map((each) => (each.startsWith("type ") ? { name: each.slice(5), isType: true } : { name: each }));
  return [
    joinCode(
      [
        importStatement(runtime, CODEGEN_ENTRIES.runtime),
        ...(registered.some(({ isolation }) => isolation !== null)
          ? [importStatement([{ name: "isolate" }], CODEGEN_ENTRIES.isolation)]
          : []),
        ...eager.map((tool) => code`import * as ${handlerName(tool)} from ${literal(tool.handlerPath)};`),
        ...(registered.length === 0
          ? []
          : [code`import * as specs from ${literal(layout.importPath(path, layout.specs))};`]),
      ],
      "\n",
    ),
  ];
}

function printGateDeclarations(registered: readonly Registered[]): readonly Code[] {
  return declareGates(
    registered.flatMap(({ featureGate }) => featureGate ?? []),
    "handlers",
  );
}

function toolsInterface(declared: string, registered: readonly Registered[]): Code {
  const types = registered.map(
    (tool) =>
      code`readonly ${propertyName(tool.name)}: import(${literal(tool.modulePath)}).${name(`${tool.names.pascal}Types`)};`,
  );
  return code`${TOOLS_COMMENT}export interface ${name(declared)} {\n${joinCode(types, "\n")}\n}`;
}

function printEntries(registered: readonly Registered[]): Code {
  return printObjectLiteral(Object.fromEntries(registered.map((tool) => [tool.name, entryCode(tool)])));
}

function handlerName({ names }: Registered): Code {
  return name(`${names.camel}Handler`);
}

/** Prints the handler's module or a function that imports it: inline, so that a bundler drops it with the tool. */
function handlerCode(tool: Registered): Code {
  return tool.isLazy ? code`() => import(${literal(tool.handlerPath)})` : handlerName(tool);
}

function entryCode(tool: Registered): Code {
  const bind = name(tool.isLazy ? "bindLazySpec" : "bindSpec");
  const bound = [code`specs.${name(`${tool.names.camel}Spec`)}()`, handlerCode(tool), ...isolationCode(tool)];
  const call = code`() => ${bind}(${joinCode(bound, ", ")})`;
  return tool.featureGate === null ? call : printGated(tool.featureGate, call);
}

const LOCATE = name("locate");

function isolationCode({ isolation, handlerPath }: Registered): readonly Code[] {
  if (isolation === null) return [];
  const module = { path: handlerPath, from: LOCATE };
  return [code`isolate(${printObjectLiteral({ module, ...isolation })})`];
}

/** Prints the function by which isolated handlers are found: in CommonJS, `import.meta` would be a syntax error. */
function printLocate(path: string, registered: readonly Registered[], layout: Layout): readonly Code[] {
  if (registered.every(({ isolation }) => isolation === null)) return [];
  const location = literal(layout.importPath(path, layout.location(path)));
  return [
    code`declare const __filename: string | undefined;`,
    code`/** Finds this file: CommonJS knows its name, a module its address. */
const ${LOCATE} = () => typeof __filename === "string" ? __filename : import(${location});`,
  ];
}

function locationDrafts(path: string, registered: readonly Registered[], layout: Layout): readonly FileDraft[] {
  if (registered.every(({ isolation }) => isolation === null)) return [];
  return [
    {
      path: layout.location(path),
      owner: "hasp",
      code: code`${printHeader("the specs")}

/** The address of this file, from which isolated handlers are found. */
// @ts-ignore: CommonJS has none, and does not load this file.
export const url: string = import.meta.url;`,
    },
  ];
}

const EXTENSIONS = { flow: "informationFlow", search: "toolSearch", results: "storedResults" } as const;

function optionsCode({ tools, toolsets, plan, extensions, policies }: BuildToEmit): Code {
  const ofToolsets = toolsets.map((toolset) => [toolset.flow, listMembers(toolset)] as const);
  const whole = decideFlow(
    tools.map(({ name }) => name),
    ofToolsets,
  );
  const others = toolsets.filter(({ flow }) => flow !== whole);
  const flows = others.map(({ name: toolset, flow }) => code`[${literal(flow)}, toolsets[${literal(toolset)}]]`);
  const named = extensions.map((each) => code`${name(EXTENSIONS[each])}${each === "results" ? code`()` : code``}`);
  return printObjectLiteral({
    unlocked: plan.unlocked,
    flow: whole,
    ...(flows.length === 0 ? {} : { toolsetFlows: code`[${joinCode(flows, ", ")}]` }),
    ...(named.length === 0 ? {} : { extensions: code`[${joinCode(named, ", ")}]` }),
    ...(policies.length === 0 ? {} : { policies: policies.map(({ toolset }) => toolset) }),
  });
}

function toolsetsCode(toolsets: readonly EmittedToolset[]): readonly Code[] {
  if (toolsets.every((toolset) => toolset.name === wholeToolset)) return [];
  const members = Object.fromEntries(
    toolsets.map((toolset) => [toolset.name, printLineList(listMembers(toolset).map(literal))]),
  );
  return [
    code`/** The tools of each toolset: \`registry.pick(toolsets.…)\` offers and runs no other. */
export const toolsets = ${printObjectLiteral(members)} as const;`,
  ];
}

/** Lists a toolset's members, including tools that a dialect excludes. */
export function listMembers({ lists }: EmittedToolset): readonly string[] {
  return [...new Set(lists.flatMap(({ tools, excluded }) => [...tools, ...excluded]))].toSorted();
}
