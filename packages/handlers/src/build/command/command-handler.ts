import {
  type DeclaringTool,
  findProperty,
  findReferencesInTemplate,
  findReferencesInValue,
  type GeneratedModule,
  mayBe,
  mayBeginWithDash,
  type ModuleSubject,
  parsePlaceholder,
  printPlaceholder,
  printValue,
  printValueFunction,
  type SpecBind,
  splitTemplate,
  type TemplatePart,
  type ValueReference,
} from "@hasp/compiler/handlers";
import type { SpecCommand } from "./command-schema.js";
import { code, type Code, literal, printObjectLiteral, printTemplateLiteral } from "@hasp/compiler/code";
import { isListed } from "@hasp/compiler/plugin";
import { readCommandLine } from "@hasp/base/declared";
import { findProgramTexts } from "./program-text.js";
import { ENTRIES } from "../codegen/entries.js";
import type { ReportKind } from "../findings/kind-diagnostics.js";

export function findCommandReferences({ argv, cwd }: SpecCommand, bind: SpecBind): readonly ValueReference[] {
  return [
    ...argv.flatMap((argument, index) => findReferencesInTemplate(argument, `/argv/${index}`, "argument", bind)),
    ...(cwd === undefined ? [] : findReferencesInValue(cwd, "/cwd", "folder", bind)),
  ];
}

export function printCommand(declaration: SpecCommand, { tool, types }: ModuleSubject): GeneratedModule {
  const { argv, cwd, publicEnv, okExitCodes, stdout } = declaration;
  const references = findCommandReferences(declaration, tool.spec.bind ?? {});
  const inArgv = references.filter(({ role }) => role === "argument");
  const whole = literal(argv.map((argument) => argumentCode(argument, tool)));
  const entries = {
    argv: printValueFunction(code`readonly string[]`, whole, inArgv),
    cwd:
      cwd === undefined
        ? undefined
        : printValueFunction(
            code`string`,
            literal(printValue(cwd, tool)),
            references.filter(({ role }) => role === "folder"),
          ),
    env: tool.spec.needs?.env,
    publicEnv,
    okExitCodes,
    stdout,
  };
  return {
    imports: { [ENTRIES.command]: [...(inArgv.length > 0 ? ["argument"] : []), "commandHandler"] },
    comment: `Runs ${argv[0] ?? ""}.`,
    value: code`commandHandler<${types}>(${printObjectLiteral(entries)})`,
  };
}

/** Prints one argument: none if its value is absent, one per item for a list that stands alone. */
function argumentCode(written: string, tool: ModuleSubject["tool"]): string | Code {
  const parts = splitTemplate(written);
  const names = parts.flatMap((part) => ("name" in part ? [part.name] : []));
  if (names.length === 0) return written;
  const optional = [...new Set(names)]
    .filter((each) => !isPresent(each, tool))
    .map((each) => printPlaceholder(each, tool));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && "name" in only && isListed(only.name, tool)) {
    const value = printPlaceholder(only.name, tool);
    return optional.length > 0
      ? code`...(${value} ?? []).map((item) => argument(item))`
      : code`...${value}.map((item) => argument(item))`;
  }
  const text = partsCode(parts, tool);
  if (optional.length === 0) return text;
  const isAbsent = optional.map((value) => code`${value} === undefined`);
  return code`...(${isAbsent.reduce((all, condition) => code`${all} || ${condition}`)} ? [] : [${text}])`;
}

function partsCode(parts: readonly TemplatePart[], tool: ModuleSubject["tool"]): Code {
  const [only] = parts;
  const valueOf = (name: string): Code => code`argument(${printPlaceholder(name, tool)})`;
  if (parts.length === 1 && only !== undefined && "name" in only) return valueOf(only.name);
  return printTemplateLiteral(parts.map((part) => ("name" in part ? valueOf(part.name) : part.text)));
}

/** True if a placeholder always has a value. Members of the context do; input properties may be absent. */
function isPresent(placeholder: string, { input, spec }: ModuleSubject["tool"]): boolean {
  const { source, path } = parsePlaceholder(placeholder, spec.bind ?? {});
  return source !== "input" || findProperty(input.schema, path).isPresent;
}

/** Reports commands in which a value could become more than an argument, and variables that the command cannot see. */
export function checkCommand({ argv, publicEnv = [] }: SpecCommand, tool: DeclaringTool, report: ReportKind): void {
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
  inArgument: readonly (readonly ValueReference[])[],
  { input }: DeclaringTool,
  report: ReportKind,
): void {
  const atStart = inArgument[start] ?? [];
  // A list before the program may hold the wrapper's last options and another program.
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
  { text, at, source, path }: ValueReference,
  { isWhole, isFirst }: { readonly isWhole: boolean; readonly isFirst: boolean },
  { input }: DeclaringTool,
  report: ReportKind,
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
  inArgument: readonly (readonly ValueReference[])[],
  report: ReportKind,
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
