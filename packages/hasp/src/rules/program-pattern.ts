import type { FlatRule, FlatTool } from "../model/tool.js";
import { partsOf, type Expression } from "../predicates/index.js";
import { yaml } from "./reading/example-spec.js";
import { programFieldsOf } from "./reading/program-fields.js";
import { defineRule, type Rule } from "./rule.js";

export const programPattern: Rule = defineRule({
  id: "fail-closed/program-pattern",
  group: "fail-closed",
  severity: "error",
  summary: "A program earns a relaxation only by equality with programs that are written out.",
  why:
    "No pattern, prefix or substring tells what a program does: `git status; rm -rf /` begins like `git status`, and `SELECT` " +
    "may call a function that deletes. Only a whole program that somebody has read and written down is known to be harmless.",
  messages: {
    "loose-test": (p: { field: string; test: string }) =>
      `"${p.field}" is a program, and ${p.test} does not tell what a program does; compare it with whole programs: input.${p.field} in ['…', '…'].`,
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: run_shell
          description: Run one command.
          input:
            type: object
            required: [command]
            properties: { command: { type: string } }
          concurrency:
            rules:
              - { when: "input.command.startsWith('git ')", class: READ_ONLY }
              - { when: "!(input.command in ['rm', 'dd'])", class: WRITE_EXCLUSIVE }
        `,
        reports: ["loose-test", "loose-test"],
      },
      {
        spec: yaml`
          hasp: 1
          name: execute
          description: Execute a statement.
          input:
            type: object
            required: [text]
            properties: { text: { type: string, contentMediaType: application/sql } }
          behavior:
            isDestructive: { unless: "input.text.matches('^SELECT [^;]*$')" }
            requiresPermission: { when: "input.text.contains('DROP')" }
        `,
        reports: ["loose-test", "loose-test"],
      },
      {
        spec: yaml`
          hasp: 1
          name: run_shell
          description: Run commands.
          input:
            type: object
            required: [commands, steps]
            properties:
              commands: { type: array, items: { type: string } }
              steps: { type: array, items: { type: object, required: [script], properties: { script: { type: string } } } }
          concurrency:
            rules:
              - { when: "input.commands.exists(c, c == 'ls')", class: WRITE_EXCLUSIVE }
              - { when: "input.steps.all(s, s.script.startsWith('ls') == true)", class: WRITE_EXCLUSIVE }
              - { when: "input.steps.all(s, size(s.script) == 2)", class: WRITE_EXCLUSIVE }
        `,
        reports: ["loose-test", "loose-test", "loose-test"],
      },
      {
        // What is not on a list of bad programs is no better for it.
        spec: yaml`
          hasp: 1
          name: run_shell
          description: Run one command.
          input:
            type: object
            required: [command, mode]
            properties: { command: { type: string }, mode: { enum: [calm, wild] } }
          concurrency:
            rules:
              - { when: "input.command.contains('rm') || input.command == 'dd'", class: UNSAFE }
              - { when: input.mode == 'calm', class: READ_ONLY }
        `,
        reports: ["loose-test"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: run_shell
        description: Run commands.
        input:
          type: object
          required: [commands, steps]
          properties:
            commands: { type: array, items: { type: string } }
            steps: { type: array, items: { type: object, required: [script], properties: { script: { type: string } } } }
        concurrency:
          rules:
            - { when: "input.commands.all(c, c in ['ls', 'pwd']) && input.steps.all(s, s.script == 'ls')", class: READ_ONLY }
            - { when: "!input.commands.exists(c, c != 'ls')", class: WRITE_EXCLUSIVE }
      `,
      yaml`
        hasp: 1
        name: search_notes
        description: Search notes.
        input:
          type: object
          required: [query]
          properties: { query: { type: string, contentMediaType: text/plain } }
        behavior:
          requiresPermission: { unless: "input.query.startsWith('public ')" }
      `,
      yaml`
        hasp: 1
        name: run_shell
        description: Run one command.
        input:
          type: object
          required: [command]
          properties: { command: { type: string }, dryRun: { type: boolean } }
        concurrency:
          rules:
            - { when: "input.command in ['ls', 'git status'] || input.command == 'pwd'", class: READ_ONLY }
            - { when: "has(input.dryRun) && input.dryRun", class: WRITE_EXCLUSIVE }
      `,
      yaml`
        hasp: 1
        name: run_shell
        description: Run one command.
        input:
          type: object
          required: [command]
          properties: { command: { type: string } }
        behavior:
          requiresPermission: { unless: "input.command == 'ls'" }
        validate:
          - { that: "!input.command.contains('sudo')", message: no sudo }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      const fields = new Map(programFieldsOf(tool, "named").map((field) => [field.instance, field.name]));
      if (fields.size === 0) continue;
      const programs: Programs = { fields, items: new Map() };
      const reported = new Set<string>();
      for (const { expression, relaxesWhen, pointer } of relaxingPredicates(tool)) {
        for (const { field, test } of looseTests(expression, relaxesWhen, programs)) {
          const finding = `${pointer} ${field}`;
          if (reported.has(finding)) continue;
          reported.add(finding);
          report("loose-test", { tool, location: tool.locate(pointer), help: HELP }, { field, test });
        }
      }
    }
  },
});

const HELP = "If the text is no program, say what it is: contentMediaType: text/plain.";

interface RelaxingPredicate {
  readonly expression: Expression;
  /** The answer of the predicate that gives the relaxation. */
  readonly relaxesWhen: boolean;
  readonly pointer: string;
}

/** The conditions under which a tool is treated more mildly. */
function relaxingPredicates(tool: FlatTool): readonly RelaxingPredicate[] {
  const found: RelaxingPredicate[] = [];
  const relaxed = new Set(tool.relaxations.map((relaxation) => relaxation.pointer));
  for (const [position, row] of tool.rules.entries()) {
    if (!relaxed.has(`/concurrency/rules/${row.index}`)) continue;
    found.push(...asked(row, true));
    // A stricter row above takes calls away from this one: where it does not match, this one relaxes.
    for (const above of tool.rules.slice(0, position)) if (isStricter(valuesOf(tool, above), valuesOf(tool, row))) found.push(...asked(above, false));
  }
  const own = valuesOf(tool);
  for (const row of tool.rules) if (isStricter(valuesOf(tool, row), own)) found.push(...asked(row, false));
  for (const { flag, polarity, predicate } of tool.flags) {
    if (predicate.kind === "custom") continue;
    const mildValue = flag === "isReadOnly" || flag === "isIdempotent";
    const relaxesWhen = (polarity === "when") === mildValue;
    found.push({ expression: predicate.expression, relaxesWhen, pointer: `/behavior/${flag}/${polarity}` });
  }
  return found;
}

function asked({ index, when }: FlatRule, relaxesWhen: boolean): readonly RelaxingPredicate[] {
  if (when.kind === "custom") return [];
  return [{ expression: when.expression, relaxesWhen, pointer: `/concurrency/rules/${index}/when` }];
}

type Values = Pick<FlatRule, "class"> & Required<Pick<FlatRule, "isReadOnly" | "isDestructive" | "isIdempotent" | "requiresPermission">>;

/** What holds for a call that a row takes, or for one that none takes. */
function valuesOf({ metadata }: FlatTool, row?: FlatRule): Values {
  const { isReadOnly, isDestructive, isIdempotent, requiresPermission } = metadata.behavior;
  return { class: metadata.concurrency.class, isReadOnly, isDestructive, isIdempotent, requiresPermission, ...row };
}

const CLASSES = ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE"] as const;

/** Whether any of the values is stricter than the other's. */
function isStricter(values: Values, other: Values): boolean {
  return (
    CLASSES.indexOf(values.class) > CLASSES.indexOf(other.class) ||
    (values.isDestructive && !other.isDestructive) ||
    (values.requiresPermission && !other.requiresPermission) ||
    (!values.isReadOnly && other.isReadOnly) ||
    (values.isIdempotent === false && other.isIdempotent !== false)
  );
}

/** What in an expression is a program: fields by their pointers, and items of loops over lists of programs by their names. */
interface Programs {
  readonly fields: ReadonlyMap<string, string>;
  readonly items: ReadonlyMap<string, string>;
}

interface LooseTest {
  readonly field: string;
  readonly test: string;
}

/** Tests of a program, on the way to `answer`, that are no equality with literals. */
function* looseTests(expression: Expression, answer: boolean, programs: Programs): Generator<LooseTest> {
  switch (expression.kind) {
    case "and":
    case "or":
      for (const part of partsOf(expression)) yield* looseTests(part, answer, programs);
      return;
    case "not":
      yield* looseTests(expression.operand, !answer, programs);
      return;
    case "condition":
      // The test decides for one answer and against the other at once, so it may be of no program at all.
      yield* everyRead(expression.test, programs, "a choice between two answers");
      yield* looseTests(expression.consequent, answer, programs);
      yield* looseTests(expression.alternative, answer, programs);
      return;
    case "quantifier":
      // That all items pass, or that not one does, says something of each; anything else says nothing of the others.
      if ((expression.quantifier === "all") !== answer) break;
      yield* looseTests(expression.body, answer, withItem(expression, programs));
      return;
    case "has":
      return;
    case "equals":
    case "in-list":
      if (isEqualityWithLiterals(expression, programs) && answer !== isNegated(expression)) return;
      break;
    default:
      break;
  }
  yield* everyRead(expression, programs, wordsFor(expression));
}

function withItem({ list, variable }: Expression & { readonly kind: "quantifier" }, { fields, items }: Programs): Programs {
  const name = programName(list, { fields, items });
  const others = [...items].filter(([item]) => item !== variable);
  return { fields, items: new Map(name === undefined ? others : [...others, [variable, name]]) };
}

/** The name of the program that an expression is, if it is one. */
function programName(expression: Expression, { fields, items }: Programs): string | undefined {
  if (expression.kind === "member") return fields.get(expression.pointer);
  return expression.kind === "variable" ? items.get(expression.name) : undefined;
}

function isNegated(expression: Expression): boolean {
  return expression.kind === "equals" && expression.negated;
}

/** Whether the whole program, and not something made of it, is compared with what is written out. */
function isEqualityWithLiterals(expression: Expression, programs: Programs): boolean {
  const isWhole = (side: Expression): boolean => programName(side, programs) !== undefined;
  if (expression.kind === "equals") {
    const { left, right } = expression;
    return (isWhole(left) && right.kind === "literal") || (isWhole(right) && left.kind === "literal");
  }
  if (expression.kind !== "in-list" || expression.list.kind !== "list") return false;
  return isWhole(expression.item) && expression.list.items.every((item) => item.kind === "literal");
}

function* everyRead(expression: Expression, programs: Programs, test: string): Generator<LooseTest> {
  const field = programName(expression, programs);
  if (field !== undefined) yield { field, test };
  const inside = expression.kind === "quantifier" ? withItem(expression, programs) : programs;
  for (const part of partsOf(expression)) yield* everyRead(part, inside, test);
}

function wordsFor(expression: Expression): string {
  switch (expression.kind) {
    case "text-test":
      return { startsWith: "a prefix", endsWith: "an ending", contains: "a substring" }[expression.test];
    case "matches":
      return "a pattern";
    case "equals":
    case "in-list":
      return "not being one of a list";
    case "size":
      return "a length";
    default:
      return "this test";
  }
}
