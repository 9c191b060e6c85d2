import { readCommandLine } from "../../../../../runtime/src/declared/command-line.js";
import type { CommandDeclaration } from "../../../model/handlers/declaration.js";
import type { CheckedTool, ReportHandler } from "../base/handler-check.js";
import { propertyAt } from "../base/input-property.js";
import { type Reference, referencesInTemplate, templateParts } from "../base/references.js";
import { mayBe, mayBeginWithDash } from "../base/value-kinds.js";
import { programTextsIn } from "./program-text.js";

/** Reports commands in which a value could become more than an argument, and variables that the command does not see. */
export function checkCommand(
  { argv, publicEnv = [] }: CommandDeclaration,
  tool: CheckedTool,
  report: ReportHandler,
): void {
  for (const [index, name] of publicEnv.entries()) {
    if (tool.spec.needs?.env?.includes(name) !== true) report("public-not-needed", `/publicEnv/${index}`, { name });
  }
  const bind = tool.spec.bind ?? {};
  const inArgument = argv.map((argument, index) => referencesInTemplate(argument, `/argv/${index}`, "argument", bind));
  const { start, separator } = readCommandLine(argv);
  checkProgram(start, inArgument, tool, report);
  checkPrograms(argv, inArgument, report);
  for (const [index, argument] of argv.entries()) {
    const isWhole = templateParts(argument).length === 1;
    const isBefore = index > 0 && index < separator;
    for (const [place, reference] of (inArgument[index] ?? []).entries()) {
      checkValue(reference, { isWhole, isFirst: isBefore && place === 0 && argument.startsWith("{") }, tool, report);
    }
  }
}

/** Reports a program that a value names: the first word, or the one that `env`, `timeout 5` and their like start. */
function checkProgram(
  start: number,
  inArgument: readonly (readonly Reference[])[],
  { input }: CheckedTool,
  report: ReportHandler,
): void {
  const atStart = inArgument[start] ?? [];
  // The words of a list before the program could be all of what its wrapper takes, and a program.
  const lists = inArgument
    .slice(0, start)
    .flat()
    .filter(
      ({ source, path }) =>
        source === "input" && mayBe(propertyAt(input.schema, path).schemas, input.schema, ["array"]),
    );
  const [found] = [...atStart.slice(0, 1).map(() => `/argv/${start}`), ...lists.map(({ at }) => at)];
  if (found !== undefined) report("program-from-value", found, undefined);
}

/** Checks one value; `isFirst` where it begins an argument that the program may take for an option. */
function checkValue(
  { text, at, source, path }: Reference,
  { isWhole, isFirst }: { readonly isWhole: boolean; readonly isFirst: boolean },
  { input }: CheckedTool,
  report: ReportHandler,
): void {
  // Values of the host are its own to vouch for; the runtime refuses options among them all the same.
  if (source !== "input") return;
  const { schemas } = propertyAt(input.schema, path);
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

/** Finds programs that take a text as a program, also where another program starts them (`env bash -c`). */
function checkPrograms(
  argv: readonly string[],
  inArgument: readonly (readonly Reference[])[],
  report: ReportHandler,
): void {
  for (const [index, argument] of argv.entries()) {
    const texts = programTextsIn(argument, argv.slice(index + 1));
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
