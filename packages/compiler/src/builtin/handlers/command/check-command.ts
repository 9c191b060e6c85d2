import { readCommandLine } from "../../../../../runtime/src/declared/command-line.js";
import type { CommandDeclaration } from "../../../model/handlers/declaration.js";
import type { CheckedTool, ReportHandler } from "../base/handler-check.js";
import { findProperty } from "../base/input-property.js";
import { type Reference, findReferencesInTemplate, splitTemplate } from "../base/references.js";
import { mayBe, mayBeginWithDash } from "../base/value-kinds.js";
import { findProgramTexts } from "./program-text.js";

/** Reports commands in which a value could become more than an argument, and variables that the command cannot see. */
export function checkCommand(
  { argv, publicEnv = [] }: CommandDeclaration,
  tool: CheckedTool,
  report: ReportHandler,
): void {
  for (const [index, name] of publicEnv.entries()) {
    if (tool.spec.needs?.env?.includes(name) !== true) report("public-not-needed", `/publicEnv/${index}`, { name });
  }
  const bind = tool.spec.bind ?? {};
  const inArgument = argv.map((argument, index) =>
    findReferencesInTemplate(argument, `/argv/${index}`, "argument", bind),
  );
  const { start, separator } = readCommandLine(argv);
  checkProgram(start, inArgument, tool, report);
  checkPrograms(argv, inArgument, report);
  for (const [index, argument] of argv.entries()) {
    const isWhole = splitTemplate(argument).length === 1;
    const isBefore = index > 0 && index < separator;
    for (const [place, reference] of (inArgument[index] ?? []).entries()) {
      checkValue(reference, { isWhole, isFirst: isBefore && place === 0 && argument.startsWith("{") }, tool, report);
    }
  }
}

/** Reports a program chosen by a value: the first word, or the one that a wrapper (`env`, `timeout 5`) starts. */
function checkProgram(
  start: number,
  inArgument: readonly (readonly Reference[])[],
  { input }: CheckedTool,
  report: ReportHandler,
): void {
  const atStart = inArgument[start] ?? [];
  // Words before the program might be all of its wrapper's options and then a program.
  const lists = inArgument
    .slice(0, start)
    .flat()
    .filter(
      ({ source, path }) =>
        source === "input" && mayBe(findProperty(input.schema, path).schemas, input.schema, ["array"]),
    );
  const [found] = [...atStart.slice(0, 1).map(() => `/argv/${start}`), ...lists.map(({ at }) => at)];
  if (found !== undefined) report("program-from-value", found, undefined);
}

/** Checks one value; `isFirst` if an argument begins with it, so that the program may take it for an option. */
function checkValue(
  { text, at, source, path }: Reference,
  { isWhole, isFirst }: { readonly isWhole: boolean; readonly isFirst: boolean },
  { input }: CheckedTool,
  report: ReportHandler,
): void {
  // The host vouches for its own values; the runtime refuses options in them as well.
  if (source !== "input") return;
  const { schemas } = findProperty(input.schema, path);
  const isList = schemas.every((schema) => typeof schema === "object" && schema.type === "array");
  if (mayBe(schemas, input.schema, ["object"])) report("not-an-argument", at, { reference: text, what: "an object" });
  else if (!(isWhole && isList) && mayBe(schemas, input.schema, ["array"])) {
    report("not-an-argument", at, { reference: text, what: "a list" });
  } else if (isFirst) {
    const items = isList
      ? schemas.map((schema) => (typeof schema === "object" ? schema.items : undefined) ?? true)
      : schemas;
    const single = items.flatMap((item) => (Array.isArray(item) ? item : [item]));
    if (mayBeginWithDash(single, input.schema)) report("may-be-option", at, { reference: text });
  }
}

/** Reports interpreters of program texts, also behind wrappers (`env bash -c`). */
function checkPrograms(
  argv: readonly string[],
  inArgument: readonly (readonly Reference[])[],
  report: ReportHandler,
): void {
  for (const [index, argument] of argv.entries()) {
    const texts = findProgramTexts(argument, argv.slice(index + 1));
    const [first] = texts;
    if (first?.isShell === true) {
      report("shell", `/argv/${index}`, { program: first.program, option: first.after });
      continue;
    }
    for (const { program, after, at } of texts) {
      const [reference] = inArgument[index + 1 + at] ?? [];
      if (reference === undefined) continue;
      report("program-text", reference.at, { program, option: after, reference: reference.text });
    }
  }
}
