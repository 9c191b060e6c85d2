import { declarationOf } from "../../../model/handlers/declaration-of.js";
import type { FlatTool } from "../../../model/tool.js";
import { code, type Code, docComment, joinCode, literal, name, propertyName } from "../../../typescript/code.js";
import type { ToolToEmit } from "../base/emitter.js";
import { handlerFile } from "../../../typescript/layout.js";
import { printContextType } from "./context-type.js";
import { findCustomUses } from "./custom-functions.js";

export function printHandlerType({ tool, names, layout, plan }: ToolToEmit): Code {
  const [input, output, context] = [
    name(`${names.pascal}Input`),
    name(`${names.pascal}Output`),
    printContextType(plan.context),
  ];
  const { predicates, checks } = findCustomUses(tool);
  const optional = name(isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports");
  // The host's context does not reach other processes.
  const contextOfExecute = isIsolated(tool) ? name("undefined") : context;
  const members = [
    code`readonly execute: Execute<${input}, ${output}, ${contextOfExecute}>;`,
    ...tool.customFunctions.map((custom) => {
      const type =
        checks.has(custom) && !predicates.has(custom)
          ? code`CustomCheck<${input}, ${context}>`
          : code`CustomPredicate<${input}>`;
      return code`readonly ${propertyName(custom)}: ${type};`;
    }),
  ];
  const comment = docComment([`What \`${handlerFile(tool, names, layout)}\` exports.`]);
  return code`${comment}export interface ${name(`${names.pascal}Handler`)} extends ${optional}<${input}, ${context}> {
${joinCode(members, "\n")}
}`;
}

export function printTypesBundle({ tool, names, layout, plan }: ToolToEmit): Code {
  const type = (suffix: string): Code => name(`${names.pascal}${suffix}`);
  return code`${docComment([`The types of \`${tool.name}\`, for the registry.`])}export interface ${type("Types")} {
readonly name: ${literal(tool.name)};
readonly arguments: ${type("Arguments")};
readonly input: ${type("Input")};
readonly output: ${type("Output")};
readonly context: ${printContextType(plan.context)};
readonly handler: ${type("Handler")};
readonly handlerFile: ${literal(handlerFile(tool, names, layout))};
}`;
}

export function isIsolated({ spec }: FlatTool): boolean {
  return spec.handler?.isolation !== undefined;
}

/**
 * True if a tool's handler is imported on its first call: it is declared, deferred or gated, and nothing of it is
 * needed before. Custom functions judge calls at once, so their module is loaded at the start.
 */
export function isLoadedOnFirstCall(tool: FlatTool): boolean {
  if (declarationOf(tool.spec) !== undefined) return true;
  const mayWait = tool.metadata.visibility.shouldDefer || tool.spec.visibility?.featureGate !== undefined;
  return mayWait && tool.customFunctions.length === 0;
}
