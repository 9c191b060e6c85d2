import { VARYING_FLAGS } from "@hasp/runtime";
import type { CompiledPredicate } from "../../../model/conditions/compiled-predicate.js";
import type { Connections } from "../../../model/handlers/declaration.js";
import type { FlatRule, FlatTool } from "../../../model/tool.js";
import {
  code,
  type Code,
  type Data,
  docComment,
  literal,
  name,
  objectLiteral,
  printedCode,
} from "../../../typescript/code.js";
import type { GeneratedNames } from "../../../typescript/names.js";
import type { ListedForm } from "../base/sent-schemas.js";
import { listDialects } from "./dialect-entries.js";
import { sortModuleKeys, collectSpecData } from "./spec-data.js";

/** Prints the function that returns a spec, with its conditions as functions. */
export function printSpec(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  typesPath: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): Code {
  const comment = docComment([`The spec of \`${tool.name}\`, without its handler.`]);
  const types = code`import(${literal(typesPath)}).${name(`${names.pascal}Types`)}`;
  const spec = objectLiteral(specEntries(tool, names, handlerFile, forms, connections));
  return code`${comment}export const ${name(`${names.camel}Spec`)} = (): ToolSpec<${types}> => (${spec});`;
}

function specEntries(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): { readonly [key: string]: Data | undefined } {
  const { rules, flags, checks, output } = tool;
  return sortModuleKeys({
    ...(collectSpecData(tool, handlerFile, connections) as { readonly [key: string]: Data | undefined }),
    description: name(`${names.camel}Description`),
    metadata: name(`${names.camel}Metadata`),
    input: name(`${names.camel}Input`),
    output: output === undefined ? undefined : name(`${names.camel}Output`),
    rules: rules.length === 0 ? undefined : rules.map(printRow),
    flags:
      flags.length === 0
        ? undefined
        : Object.fromEntries(
            flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: printPredicate(predicate) }]),
          ),
    validate:
      checks.length === 0
        ? undefined
        : checks.map(({ that, message }) =>
            that.kind === "custom" ? { custom: that.name } : { that: printPredicate(that), message },
          ),
    dialects: forms.length === 0 ? undefined : listDialects(tool.name, names, forms),
  });
}

function printRow(rule: FlatRule): Data {
  const flags = VARYING_FLAGS.map((flag) => [flag, rule[flag]] as const);
  return { when: printPredicate(rule.when), class: rule.class, ...Object.fromEntries(flags) };
}

/** Prints a custom function's name or an arrow function. */
function printPredicate(predicate: CompiledPredicate): Data {
  if (predicate.kind === "custom") return { custom: predicate.name };
  const isConstant = predicate.reads.length === 0 && !/\binput\b/u.test(predicate.javascript);
  return code`${isConstant ? code`()` : code`(input)`} => ${printedCode(predicate.javascript)}`;
}
