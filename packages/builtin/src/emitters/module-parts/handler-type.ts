import { declarationOf } from "@hasp/compiler/model";
import { type CompiledPredicate, listPredicates } from "@hasp/compiler/conditions";
import { isLoadedOnFirstCall } from "@hasp/compiler/run";
import type { FlatTool, CompilePlan } from "@hasp/compiler";
import {
  code,
  type Code,
  printDocComment,
  joinCode,
  literal,
  name,
  propertyName,
  importStatement,
} from "@hasp/compiler/code";
import type { ToolToEmit } from "../base/emitter.js";
import { handlerFile } from "@hasp/compiler/layout";

export function printHandlerType({ tool, names, plan }: ToolToEmit): Code {
  const [input, output, context] = [
    name(`${names.pascal}Input`),
    name(`${names.pascal}Output`),
    printContextType(plan.context),
  ];
  const { predicates, checks } = findCustomUses(tool);
  // The host's context does not reach other processes.
  const parameters = [input, output, context, ...(isIsolated(tool) ? [name("undefined")] : [])];
  const members = tool.customFunctions.map((custom) => {
    const types: readonly (Code | false)[] = [
      predicates.has(custom) && code`CustomPredicate<${input}>`,
      checks.has(custom) && !predicates.has(custom) && code`CustomCheck<${input}, ${context}>`,
      custom === tool.spec.visibility?.describe?.custom && code`CustomDescription<${context}, ${printPaths(tool)}>`,
    ];
    return code`readonly ${propertyName(custom)}: ${joinCode(
      types.filter((type) => type !== false),
      " & ",
    )};\n`;
  });
  const comment = printDocComment(["The handler's module."]);
  const base = code`${name(chooseHandlerBase(tool))}<${joinCode(parameters, ", ")}>`;
  return code`${comment}export interface ${name(`${names.pascal}Handler`)} extends ${base} {${members.length === 0 ? [] : [code`\n`, ...members]}}`;
}

/** Chooses the interface that a handler's extends, of `@hasp/runtime/codegen/v1`. */
export function chooseHandlerBase(tool: FlatTool): string {
  return isLoadedOnFirstCall(tool) ? "LazyHandlerModule" : "HandlerModule";
}

function printPaths({ spec: { needs } }: FlatTool): Code {
  return joinCode((needs?.context ?? []).map(literal), " | ");
}

export function printTypesBundle({ tool, names, layout, plan }: ToolToEmit): Code {
  const type = (suffix: string): Code => name(`${names.pascal}${suffix}`);
  return code`export interface ${type("Types")} {
readonly name: ${literal(tool.name)};
readonly arguments: ${type("Arguments")};
readonly input: ${type("Input")};
readonly output: ${type("Output")};
readonly context: ${printContextType(plan.context)};
readonly handler: ${type("Handler")};
readonly handlerFile: ${literal(handlerFile(tool, names, layout))};
}`;
}

function isIsolated({ spec }: FlatTool): boolean {
  return spec.handler?.isolation !== undefined;
}

/** True if a tool's facts are exported for its handler to read. Nobody writes the handler of a declaration. */
export function isMetadataExported({ spec }: FlatTool): boolean {
  return declarationOf(spec) === undefined;
}

/** The context's type in every module; the user's own name could clash with others. */
const CONTEXT = "Context";

export function printContextType(context: CompilePlan["context"]): Code {
  return name(context === undefined ? "unknown" : CONTEXT);
}

export function importContextType({ type }: NonNullable<CompilePlan["context"]>, path: string): Code {
  return importStatement([{ name: type, isType: true, ...(type === CONTEXT ? {} : { as: CONTEXT }) }], path);
}

/** Finds the custom functions that judge (rules and flags) and those that check. */
export function findCustomUses({ rules, flags, checks }: FlatTool): {
  readonly predicates: ReadonlySet<string>;
  readonly checks: ReadonlySet<string>;
} {
  const customNames = (predicates: readonly CompiledPredicate[]): ReadonlySet<string> =>
    new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
  return {
    predicates: customNames(listPredicates({ rules, flags, checks: [] })),
    checks: customNames(checks.map(({ that }) => that)),
  };
}

export function listCustomTypes(tool: FlatTool): readonly string[] {
  const { predicates, checks } = findCustomUses(tool);
  return [
    ...(checks.size > 0 ? ["CustomCheck"] : []),
    ...(predicates.size > 0 ? ["CustomPredicate"] : []),
    ...(tool.spec.visibility?.describe === undefined ? [] : ["CustomDescription"]),
  ];
}

/** Names the functions from `@hasp/runtime/codegen/v1` that printed expressions call. */
export function listHelpers(tool: FlatTool): readonly string[] {
  return [
    ...new Set([
      ...listPredicates(tool).flatMap((predicate) => (predicate.kind === "expression" ? predicate.helpers : [])),
      ...(tool.destination?.helpers ?? []),
    ]),
  ];
}
