import { docComment } from "../../typescript/doc-comment.js";
import { propertyKey, stringLiteral } from "../../typescript/string-literal.js";
import type { ToolToEmit } from "../emitter.js";
import { isLoadedOnFirstCall } from "../handler-loading.js";
import { contextName } from "./context-type.js";
import { customUses } from "./custom-functions.js";

/** The interface that a handler's module satisfies. */
export function handlerType({ tool, names, layout, plan }: ToolToEmit): string {
  const context = contextName(plan.context);
  const { predicates, checks } = customUses(tool);
  const optional = isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports";
  const members = [
    typeMember("execute", "Execute", [`${names.pascal}Input`, `${names.pascal}Output`, context]),
    ...tool.customFunctions.map((name) =>
      checks.has(name) && !predicates.has(name)
        ? typeMember(name, "CustomCheck", [`${names.pascal}Input`, context])
        : typeMember(name, "CustomPredicate", [`${names.pascal}Input`]),
    ),
  ];
  const flatHead = `export interface ${names.pascal}Handler extends ${optional}<${names.pascal}Input, ${context}> {`;
  const head =
    flatHead.length <= 80
      ? flatHead
      : `export interface ${names.pascal}Handler extends ${optional}<\n  ${names.pascal}Input,\n  ${context}\n> {`;
  const comment = docComment([`What \`${layout.handler(names)}\` exports.`]).join("\n");
  return `${comment}\n${head}\n${members.join("\n")}\n}`;
}

/** `readonly name: Type<…>;`, the type's parameters below it where they do not fit beside it. */
function typeMember(name: string, type: string, parameters: readonly string[]): string {
  const flat = `  readonly ${propertyKey(name)}: ${type}<${parameters.join(", ")}>;`;
  if (flat.length <= 80 || parameters.length === 1) return flat;
  const lines = parameters.map((parameter) => `    ${parameter}`).join(",\n");
  return `  readonly ${propertyKey(name)}: ${type}<\n${lines}\n  >;`;
}

/** The interface that ties a tool's types together. */
export function typesBundle({ tool, names, layout, plan }: ToolToEmit): string {
  const comment = docComment([`The types of \`${tool.name}\`, for the registry.`]).join("\n");
  return `${comment}
export interface ${names.pascal}Types {
  readonly name: ${stringLiteral(tool.name)};
  readonly arguments: ${names.pascal}Arguments;
  readonly input: ${names.pascal}Input;
  readonly output: ${names.pascal}Output;
  readonly context: ${contextName(plan.context)};
  readonly handler: ${names.pascal}Handler;
  readonly handlerFile: ${stringLiteral(layout.handler(names))};
}`;
}
