import type { Classification } from "@hasp/runtime";
import { FIELDS, isLooser, VARYING_FLAGS } from "@hasp/runtime/contract";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { findLooseTests, type Programs } from "./reading/loose-tests.js";
import { createDataFinder, listProgramFields, createProgramFinder } from "./reading/program-fields.js";
import type { FlatRule } from "@hasp/compiler/model";
import type { Expression } from "@hasp/compiler/conditions";
import type { FlatTool } from "@hasp/compiler";
import { classifyTool, findStricterValue } from "./reading/classification.js";
import { findContradiction, locateClaim } from "@hasp/compiler/claims";

export const programPattern: Rule = defineRule({
  id: "fail-closed/program-pattern",
  severity: "error",
  summary: "A condition relaxes a program only by comparing it with complete programs.",
  why:
    "A pattern, prefix or substring does not show what a program does: `git status; rm -rf /` begins like `git status`, and `SELECT` " +
    "may call a function that deletes. Only a whole program that somebody has read and written down is known to be harmless.",
  messages: {
    "loose-test":
      "\"{field}\" is a program, and {test} does not show what a program does. Compare it with complete programs: input.{field} in ['…', '…'].",
  },
  examples: {
    bad: [
      reporting("loose-test", "loose-test")`
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
      reporting("loose-test", "loose-test")`
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
      reporting("loose-test", "loose-test")`
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
        concurrency:
          rules:
            - { when: "input.command.trim().lower().startsWith('git ')", class: READ_ONLY }
            - { when: "lower(input.command) in ['ls']", class: WRITE_EXCLUSIVE }
      `,
      reporting("loose-test", "loose-test", "loose-test")`
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
      reporting("loose-test", "loose-test", "loose-test")`
        name: run_scripts
        description: Run scripts.
        input:
          type: object
          required: [command2, line, scripts]
          properties:
            command2: { type: string }
            line: { type: string, description: Shell line for bash. }
            scripts: { type: object, additionalProperties: { type: string } }
        concurrency:
          rules:
            - { when: "input.command2.startsWith('ls')", class: WRITE_EXCLUSIVE }
            - { when: "input.line.startsWith('ls')", class: WRITE_EXCLUSIVE }
            - { when: "has(input.scripts.build) && input.scripts.build.startsWith('ls')", class: WRITE_EXCLUSIVE }
      `,
      // A field compared with the start of a program holds a program, whatever its name.
      reporting("loose-test", "loose-test", "loose-test", "loose-test", "loose-test", "loose-test")`
        name: run_task
        description: Run a task.
        input:
          type: object
          required: [scripts, what, jobs]
          properties:
            scripts: { type: object, properties: { build: { type: string } } }
            what: { type: string }
            jobs: { type: array, items: { type: string } }
        concurrency:
          rules:
            - { when: "has(input.scripts.build) && input.scripts.build.startsWith('ls')", class: READ_ONLY }
            - { when: "input.what.startsWith('git status')", class: READ_ONLY }
            - { when: "input.what.matches('^(cat|head) ')", class: READ_ONLY }
            - { when: "!input.what.contains('rm -rf')", class: WRITE_EXCLUSIVE }
            - { when: "input.what.startsWith('SELECT ')", class: READ_ONLY }
            - { when: "input.jobs.all(job, job.startsWith('/bin/ls'))", class: READ_ONLY }
      `,
      // Absence from a list of bad programs proves nothing.
      reporting("loose-test")`
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
    ],
    good: [
      spec`
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
      spec`
        name: search_notes
        description: Search notes.
        input:
          type: object
          required: [query]
          properties: { query: { type: string, contentMediaType: text/plain } }
        behavior:
          requiresPermission: { unless: "input.query.startsWith('public ')" }
      `,
      spec`
        name: find_notes
        description: Find notes.
        input:
          type: object
          required: [topic, title]
          properties: { topic: { type: string }, title: { type: string, contentMediaType: text/plain } }
        behavior:
          requiresPermission: { unless: "input.topic.startsWith('file') || input.topic.startsWith('find me') || input.title.startsWith('git ')" }
      `,
      spec`
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
      spec`
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
  checkTool(tool, { report }) {
    const predicates = findRelaxingPredicates(tool);
    if (predicates.length === 0) return;
    const fieldAt = createProgramFinder(listProgramFields(tool, "named"));
    const programs: Programs = { fieldAt, isData: createDataFinder(tool), items: new Map() };
    const reported = new Set<string>();
    for (const { expression, relaxesWhen, pointer } of predicates) {
      for (const { field, test } of findLooseTests(expression, relaxesWhen, programs)) {
        const finding = `${pointer} ${field}`;
        if (reported.has(finding)) continue;
        reported.add(finding);
        report("loose-test", { location: tool.locate(pointer), help: HELP }, { field, test });
      }
    }
  },
});

const HELP = "If the text is no program, say what it is: contentMediaType: text/plain.";

interface RelaxingPredicate {
  readonly expression: Expression;
  readonly relaxesWhen: boolean;
  readonly pointer: string;
}

function findRelaxingPredicates(tool: FlatTool): readonly RelaxingPredicate[] {
  const found: RelaxingPredicate[] = [];
  const relaxed = new Set(tool.relaxations.map((relaxation) => relaxation.pointer));
  // Rows above that are not stricter than any row so far, by their values, of which there are few.
  const above = new Map<string, { readonly values: Classification; rows: FlatRule[] }>();
  for (const row of tool.rules) {
    const values = classifyTool(tool, row);
    if (relaxed.has(`/concurrency/rules/${row.index}`)) {
      found.push(...asked(row, true));
      // A stricter row above takes calls from this one. When it does not match, this one relaxes.
      for (const group of above.values()) {
        if (findStricterValue(group.values, values) === undefined) continue;
        found.push(...group.rows.flatMap((each) => asked(each, false)));
        group.rows = [];
      }
    }
    const key = JSON.stringify([values.class, ...VARYING_FLAGS.map((flag) => values[flag])]);
    const group = above.get(key) ?? { values, rows: [] };
    group.rows.push(row);
    above.set(key, group);
  }
  const own = classifyTool(tool);
  for (const row of tool.rules) {
    if (findStricterValue(classifyTool(tool, row), own) !== undefined) found.push(...asked(row, false));
  }
  for (const { flag, polarity, predicate } of tool.flags) {
    if (predicate.kind === "custom") continue;
    const isTrueLooser = isLooser(FIELDS.behavior[flag], true, false);
    const relaxesWhen = (polarity === "when") === isTrueLooser;
    found.push({ expression: predicate.expression, relaxesWhen, pointer: `/behavior/${flag}/${polarity}` });
  }
  // A whole program names itself; a value computed from one may name others too.
  const { expression } = tool.destination ?? {};
  if (expression !== undefined && expression.kind !== "member") {
    found.push({ expression, relaxesWhen: true, pointer: "/behavior/destination" });
  }
  return found;
}

function asked({ index, when }: FlatRule, relaxesWhen: boolean): readonly RelaxingPredicate[] {
  if (when.kind === "custom") return [];
  return [{ expression: when.expression, relaxesWhen, pointer: `/concurrency/rules/${index}/when` }];
}

export const claimContradictsHandler: Rule = defineRule({
  id: "fail-closed/claim-contradicts-handler",
  severity: "error",
  summary: "A claim agrees with what the declared handler does.",
  why:
    "If a spec declares its handler, `hasp` compares the claim with what the handler does: an SQL statement with Postgres's " +
    "own parser, a request by what HTTP defines for its method, a command by what is known about its program. A DELETE that claims to be READ_ONLY " +
    "would run without a question, in parallel, and again after an error. A claim may still be true for a reason that the declaration does not " +
    "show, such as a POST that only searches: `hasp approve` asks about such a claim separately, and its entry in the ledger says `contradicts`.",
  messages: {
    contradicts: '"{claim:excerpt}" contradicts the handler: it {reason}.',
  },
  examples: {
    bad: [
      reporting("contradicts")`
        name: take_jobs
        description: Take the jobs that wait.
        input: { type: object, properties: {} }
        handler:
          sql:
            connection: app-db
            statement: |
              WITH taken AS (
                DELETE FROM jobs WHERE id IN (SELECT id FROM jobs LIMIT 5) RETURNING *
              )
              SELECT * FROM taken
        concurrency: { class: READ_ONLY }
      `,
      reporting("contradicts", "contradicts")`
        name: archive
        description: Archive an order.
        input: { type: object, required: [id, preview], properties: { id: { type: string }, preview: { type: boolean } } }
        handler:
          http: { connection: orders-api, method: DELETE, path: "/orders/{id}" }
        concurrency:
          rules:
            - { when: input.preview, class: READ_ONLY }
        behavior:
          isDestructive: false
      `,
      reporting("contradicts")`
        name: publish
        description: Publish the branch.
        input: { type: object, required: [branch], properties: { branch: { type: string } } }
        handler:
          command: { argv: [git, push, origin, "{branch}"] }
        behavior:
          isReadOnly: { unless: "input.branch == 'main'" }
      `,
    ],
    good: [
      spec`
        name: list_orders
        description: List the orders of a customer.
        input: { type: object, required: [customer], properties: { customer: { type: string } } }
        handler:
          sql: { connection: app-db, statement: SELECT id FROM orders WHERE customer_id = $customer ORDER BY id }
        concurrency: { class: READ_ONLY }
      `,
      spec`
        name: set_state
        description: Set the state of an order.
        input: { type: object, required: [id], properties: { id: { type: string } } }
        handler:
          http: { connection: orders-api, method: PUT, path: "/orders/{id}/state" }
        concurrency: { class: WRITE_EXCLUSIVE }
        behavior: { isIdempotent: true }
      `,
    ],
  },
  checkTool(tool, { report }) {
    for (const relaxation of tool.relaxations) {
      const found = findContradiction(tool, relaxation);
      if (found === undefined) continue;
      const { kind, effect, location } = found;
      report(
        "contradicts",
        {
          location: locateClaim(tool, relaxation),
          related: [{ location, message: `the handler (${kind})` }],
          help: `Remove the claim. If it is true all the same: hasp approve ${tool.name} --contradicting --reason "why"`,
        },
        { claim: relaxation.claim, reason: effect.reason },
      );
    }
  },
});

export const rowStricter: Rule = defineRule({
  id: "fail-closed/row-stricter",
  severity: "error",
  summary: "The rows of a decision table relax the tool's own values and never tighten them.",
  why:
    "The tool's own values apply if no row matches. They decide the inputs that nobody thought of, so they must be " +
    "the strictest. A table that starts mild and tightens row by row fails open on the first case that its author forgot.",
  messages: {
    stricter:
      "Row {row} sets {value} where the tool itself has {own}. Give the tool the strict value and relax it in rows.",
  },
  examples: {
    bad: [
      reporting("stricter", "stricter")`
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency:
          class: READ_ONLY
          rules:
            - { when: input.mode == 'write', class: UNSAFE, isDestructive: true }
            - { custom: isUrgent, class: WRITE_EXCLUSIVE }
      `,
    ],
    good: [
      spec`
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency:
          class: UNSAFE
          rules: [{ when: input.mode == 'read', class: READ_ONLY }]
      `,
    ],
  },
  checkTool(tool, { report }) {
    const own = classifyTool(tool);
    for (const rule of tool.rules) {
      const row = classifyTool(tool, rule);
      const tightened = findStricterValue(row, own);
      if (tightened === undefined) continue;
      const location = tool.locate(`/concurrency/rules/${rule.index}/${tightened}`);
      const value = `${tightened}: ${String(row[tightened])}`;
      report("stricter", { location }, { row: rule.index + 1, value, own: String(own[tightened]) });
    }
  },
});
