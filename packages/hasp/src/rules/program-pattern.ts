import type { FlatTool } from "../model/tool.js";
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
    ],
    good: [
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
      const programs = new Map(programFieldsOf(tool, "named").map((field) => [field.instance, field.name]));
      if (programs.size === 0) continue;
      for (const { expression, relaxesWhen, pointer } of relaxingPredicates(tool)) {
        for (const { field, test } of looseTests(expression, relaxesWhen, programs)) {
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
  const relaxed = new Set(tool.relaxations.map((relaxation) => relaxation.pointer));
  const found: RelaxingPredicate[] = [];
  for (const { index, when } of tool.rules) {
    const pointer = `/concurrency/rules/${index}`;
    if (when.kind === "expression" && relaxed.has(pointer)) {
      found.push({ expression: when.expression, relaxesWhen: true, pointer: `${pointer}/when` });
    }
  }
  for (const { flag, polarity, predicate } of tool.flags) {
    if (predicate.kind === "custom") continue;
    const mildValue = flag === "isReadOnly" || flag === "isIdempotent";
    const relaxesWhen = (polarity === "when") === mildValue;
    found.push({ expression: predicate.expression, relaxesWhen, pointer: `/behavior/${flag}/${polarity}` });
  }
  return found;
}

/** Tests of a program, on the way to `answer`, that are no equality with literals. */
function* looseTests(
  expression: Expression,
  answer: boolean,
  programs: ReadonlyMap<string, string>,
): Generator<{ readonly field: string; readonly test: string }> {
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
    case "equals":
    case "in-list":
      if (isEqualityWithLiterals(expression) && answer !== isNegated(expression)) return;
      break;
    case "has":
      return;
    default:
      break;
  }
  yield* everyRead(expression, programs, wordsFor(expression));
}

function isNegated(expression: Expression): boolean {
  return expression.kind === "equals" && expression.negated;
}

function isEqualityWithLiterals(expression: Expression): boolean {
  if (expression.kind === "equals") {
    return [expression.left, expression.right].some((side) => side.kind === "literal");
  }
  if (expression.kind !== "in-list") return false;
  return expression.list.kind === "list" && expression.list.items.every((item) => item.kind === "literal");
}

function* everyRead(
  expression: Expression,
  programs: ReadonlyMap<string, string>,
  test: string,
): Generator<{ readonly field: string; readonly test: string }> {
  const field = expression.kind === "member" ? programs.get(expression.pointer) : undefined;
  if (field !== undefined) yield { field, test };
  for (const part of partsOf(expression)) yield* everyRead(part, programs, test);
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
