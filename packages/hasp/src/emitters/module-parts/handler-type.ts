import { code, type Code, docComment, joinCode, literal, name, propertyName } from "../../typescript/code.js";
import type { ToolToEmit } from "../emitter.js";
import { isLoadedOnFirstCall } from "../handler-loading.js";
import { contextName } from "./context-type.js";
import { customUses } from "./custom-functions.js";

/** Prints the interface that a handler's module satisfies. */
export function handlerType({ tool, names, layout, plan }: ToolToEmit): Code {
  const [input, output, context] = [
    name(`${names.pascal}Input`),
    name(`${names.pascal}Output`),
    contextName(plan.context),
  ];
  const { predicates, checks } = customUses(tool);
  const optional = name(isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports");
  const members = [
    code`readonly execute: Execute<${input}, ${output}, ${context}>;`,
    ...tool.customFunctions.map((custom) => {
      const type =
        checks.has(custom) && !predicates.has(custom)
          ? code`CustomCheck<${input}, ${context}>`
          : code`CustomPredicate<${input}>`;
      return code`readonly ${propertyName(custom)}: ${type};`;
    }),
  ];
  const comment = docComment([`What \`${layout.handler(names)}\` exports.`]);
  return code`${comment}export interface ${name(`${names.pascal}Handler`)} extends ${optional}<${input}, ${context}> {
${joinCode(members, "\n")}
}`;
}

/** Prints the interface that ties a tool's types together. */
export function typesBundle({ tool, names, layout, plan }: ToolToEmit): Code {
  const type = (suffix: string): Code => name(`${names.pascal}${suffix}`);
  return code`${docComment([`The types of \`${tool.name}\`, for the registry.`])}export interface ${type("Types")} {
readonly name: ${literal(tool.name)};
readonly arguments: ${type("Arguments")};
readonly input: ${type("Input")};
readonly output: ${type("Output")};
readonly context: ${contextName(plan.context)};
readonly handler: ${type("Handler")};
readonly handlerFile: ${literal(layout.handler(names))};
}`;
}
