import { VARYING_FLAGS } from "@hasp/runtime";
import type { FlatCheck, FlatRule, FlatTool } from "../../model/tool.js";
import type { CompiledPredicate } from "../../cel/compiled-predicate.js";
import { variable } from "../../typescript/notation.js";
import { docComment } from "../../typescript/doc-comment.js";
import type { GeneratedNames } from "../../typescript/names.js";
import { type Entry, listText, objectText } from "../../typescript/object-text.js";
import { dialectsOf, type ListedForm } from "./dialect-entries.js";

/** The constant that holds all that a spec says, with its expressions as code. */
export function specConstant(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
): string {
  const types = `${names.pascal}Types`;
  const comment = docComment([`All that the spec of \`${tool.name}\` says; only the handler is missing.`]).join("\n");
  const declaration = `export const ${names.camel}Spec: ToolSpec<${types}>`;
  const spec = (indent: number): string => objectText(specEntries(tool, names, handlerFile, forms, indent + 2), indent);
  if (`${declaration} = {`.length <= 80) return `${comment}\n${declaration} = ${spec(0)};`;
  return `${comment}\n${declaration} =\n  ${spec(2)};`;
}

function specEntries(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
  indent: number,
): readonly Entry[] {
  const { spec } = tool;
  return [
    { kind: "data", key: "name", value: tool.name },
    { kind: "data", key: "title", value: spec.title },
    { kind: "variable", key: "description" },
    { kind: "data", key: "owner", value: spec.owner },
    { kind: "data", key: "tags", value: spec.tags },
    { kind: "data", key: "aliases", value: spec.aliases },
    { kind: "data", key: "searchHint", value: spec.searchHint },
    { kind: "data", key: "handlerFile", value: handlerFile },
    { kind: "data", key: "metadata", value: variable(`${names.camel}Metadata`) },
    { kind: "data", key: "featureGate", value: spec.visibility?.featureGate },
    { kind: "variable", key: "input" },
    ...(tool.output === undefined ? [] : [{ kind: "variable", key: "output" } as const]),
    ...ruleEntries(tool.rules, indent),
    ...flagEntries(tool, indent),
    ...checkEntries(tool.checks, indent),
    { kind: "data", key: "needs", value: spec.needs },
    { kind: "data", key: "examples", value: spec.examples?.map(({ input }) => ({ input })) },
    { kind: "data", key: "display", value: spec.display },
    { kind: "data", key: "dialects", value: forms.length === 0 ? undefined : dialectsOf(tool, forms) },
  ];
}

function ruleEntries(rules: readonly FlatRule[], indent: number): readonly Entry[] {
  if (rules.length === 0) return [];
  const rows = rules.map((rule) =>
    objectText(
      [
        predicateEntry("when", rule.when, indent + 4),
        { kind: "data", key: "class", value: rule.class },
        ...VARYING_FLAGS.map((flag): Entry => ({ kind: "data", key: flag, value: rule[flag] })),
      ],
      indent + 2,
    ),
  );
  return [{ kind: "code", key: "rules", code: listText(rows, indent) }];
}

function flagEntries({ flags }: FlatTool, indent: number): readonly Entry[] {
  if (flags.length === 0) return [];
  const entries = flags.map(({ flag, polarity, predicate }): Entry => ({
    kind: "code",
    key: flag,
    code: objectText([predicateEntry(polarity, predicate, indent + 4)], indent + 2),
  }));
  return [{ kind: "code", key: "flags", code: objectText(entries, indent) }];
}

function checkEntries(checks: readonly FlatCheck[], indent: number): readonly Entry[] {
  if (checks.length === 0) return [];
  const texts = checks.map(({ that, message }) =>
    objectText(
      that.kind === "custom"
        ? [{ kind: "data", key: "custom", value: that.name }]
        : [predicateEntry("that", that, indent + 4), { kind: "data", key: "message", value: message }],
      indent + 2,
    ),
  );
  return [{ kind: "code", key: "validate", code: listText(texts, indent) }];
}

/** A predicate as an arrow function; one that does not fit on a line is left as it is, behind a note to prettier. */
function predicateEntry(key: string, predicate: CompiledPredicate, indent: number): Entry {
  if (predicate.kind === "custom") return { kind: "data", key, value: { custom: predicate.name } };
  const head = predicate.reads.length === 0 && !/\binput\b/u.test(predicate.javascript) ? "() =>" : "(input) =>";
  const code = `${head} ${predicate.javascript}`;
  if (indent + key.length + 2 + code.length + 1 <= 80) return { kind: "code", key, code };
  const below = `${head}\n${" ".repeat(indent + 2)}${predicate.javascript}`;
  if (indent + 2 + predicate.javascript.length + 1 <= 80) return { kind: "code", key, code: below };
  return { kind: "long-code", key, code };
}
