import { VARYING_FLAGS } from "@hasp/runtime";
import type { CompiledPredicate } from "../../cel/model/compiled-predicate.js";
import { needsOf } from "../../handlers/needs.js";
import type { Connections } from "../../model/handlers/declaration.js";
import type { FlatRule, FlatTool } from "../../model/tool.js";
import { code, type Code, type Data, docComment, name, objectLiteral, printedCode } from "../../typescript/code.js";
import type { GeneratedNames } from "../../typescript/names.js";
import type { ListedForm } from "../base/sent-schemas.js";
import { dialectsOf } from "./dialect-entries.js";

/** Prints the constant that holds everything a spec says, with its conditions as functions. */
export function specConstant(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): Code {
  const comment = docComment([`The spec of \`${tool.name}\`, without its handler.`]);
  const type = code`ToolSpec<${name(`${names.pascal}Types`)}>`;
  const spec = objectLiteral(specEntries(tool, names, handlerFile, forms, connections));
  return code`${comment}export const ${name(`${names.camel}Spec`)}: ${type} = ${spec};`;
}

function specEntries(
  { name: toolName, spec, bound, output, rules, flags, checks }: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): { readonly [key: string]: Data | undefined } {
  return {
    name: toolName,
    title: spec.title,
    description: name("description"),
    owner: spec.owner,
    tags: spec.tags,
    aliases: spec.aliases,
    searchHint: spec.searchHint,
    handlerFile,
    metadata: name(`${names.camel}Metadata`),
    featureGate: spec.visibility?.featureGate,
    input: name("input"),
    bind: spec.bind,
    bound: bound as Data | undefined,
    output: output === undefined ? undefined : name("output"),
    outputCheck: spec.outputCheck,
    rules: rules.length === 0 ? undefined : rules.map(rowOf),
    flags:
      flags.length === 0
        ? undefined
        : Object.fromEntries(
            flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: predicateOf(predicate) }]),
          ),
    validate:
      checks.length === 0
        ? undefined
        : checks.map(({ that, message }) =>
            that.kind === "custom" ? { custom: that.name } : { that: predicateOf(that), message },
          ),
    needs: needsOf(spec, connections),
    isolation: spec.handler?.isolation as Data | undefined,
    examples: spec.examples?.map(({ input }) => ({ input })),
    display: spec.display,
    dialects: forms.length === 0 ? undefined : dialectsOf(toolName, forms),
  };
}

/** A row of the decision table. */
function rowOf(rule: FlatRule): Data {
  const flags = VARYING_FLAGS.map((flag) => [flag, rule[flag]] as const);
  return { when: predicateOf(rule.when), class: rule.class, ...Object.fromEntries(flags) };
}

/** A predicate: the name of a custom function, or an arrow function. */
function predicateOf(predicate: CompiledPredicate): Data {
  if (predicate.kind === "custom") return { custom: predicate.name };
  const isConstant = predicate.reads.length === 0 && !/\binput\b/u.test(predicate.javascript);
  return code`${isConstant ? code`()` : code`(input)`} => ${printedCode(predicate.javascript)}`;
}
