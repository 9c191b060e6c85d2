import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiReports } from "./api-report.js";
import { createBundleSchema } from "./bundle-schema.js";
import { clientsPage, dialectsPage, loweringExamplesPage } from "./dialects-page.js";
import { importBuilt, importInner, root } from "./workspace.js";
import { block, code, page, table } from "./markdown.js";
import { referencePages, runtimePages } from "./reference-pages.js";

/** Prints every command with its words and options, as the command line declares them. */
async function commandsPage() {
  const { describeProgram } = await importBuilt("hasp", "cli/main.js");
  const { commands } = await importInner("hasp", "cli/commands.ts");
  // Naming every command loads every command; nothing is parsed and nothing runs.
  const program = await describeProgram(
    commands.map(({ name }) => name),
    silent,
    async () => {},
  );
  const help = program.createHelp();
  const verbsOf = (command) => help.visibleCommands(command).filter((verb) => verb.name() !== "help");
  const listed = verbsOf(program);
  return page(
    "# The commands",
    "Exit codes: 0 clean, 1 findings or drift, 2 could not check. Findings and products go to standard output, progress to standard " +
      "error; where a product is asked for, such as a schema, the findings go to standard error too. This page is printed from the command line's own help.",
    table(
      ["command", ""],
      listed.map((command) => [`[hasp ${command.name()}](#hasp-${command.name()})`, command.description()]),
    ),
    "## Options of every command",
    optionsTable(help, program),
    listed.flatMap((command) => [command, ...verbsOf(command)].flatMap((each) => commandSection(help, each))),
  );
}

function commandSection(help, command) {
  const words = help
    .visibleArguments(command)
    .map((argument) => [code(argument.name()), help.argumentDescription(argument)]);
  return [
    command.parent.parent === null
      ? `## hasp ${command.name()}`
      : `### hasp ${command.parent.name()} ${command.name()}`,
    command.description(),
    code(help.commandUsage(command)),
    ...(words.length === 0 ? [] : [table(["word", ""], words)]),
    ...(command.options.length === 0 ? [] : [optionsTable(help, command)]),
  ];
}

const optionsTable = (help, command) =>
  table(
    ["option", ""],
    command.options.map((option) => [code(option.flags), help.optionDescription(option)]),
  );

const silent = { out: () => {}, error: () => {} };

const OPEN = "<!-- Written by `pnpm gen` from the table of fields. -->";
const CLOSE = "<!-- End of what is written. -->";

/** Replaces the table of defaults in a page with the code's own. */
async function defaultsTable(path) {
  const { FIELD_ENTRIES, isLooser } = await importBuilt("runtime", "doors/contract.js");
  const { FIELD_WORDS } = await importInner("compiler", "model/field-words.ts");
  const text = readFileSync(join(root, path), "utf8");
  const [before, rest] = text.split(`${OPEN}\n`);
  const after = rest?.split(`${CLOSE}\n`)[1];
  if (after === undefined) throw new Error(`${path} has lost the marks between which its table of defaults stands.`);
  const rows = FIELD_ENTRIES.map(({ path: name, field }) => [
    code(name),
    code(field.strict),
    loosenedBy(field, FIELD_WORDS[name].lintedBy, (value) => isLooser(field, value, field.strict)),
  ]);
  rows.push(["an object of `input` with `properties`", "closed", "`additionalProperties: true`"]);
  return `${before}${OPEN}\n${table(["field", "when omitted", "what loosens it"], rows)}\n${CLOSE}\n${after}`;
}

function loosenedBy(field, lintedBy, loosens) {
  if (field.number !== undefined) return field.unlimited ? "a larger number, `unlimited`" : "a larger number";
  const looser = field.values.filter(loosens);
  if (looser.length > 0) return looser.map(code).join(", ");
  const others = field.values.filter((value) => value !== field.strict).map(code);
  if (field.order !== "choice") return `nothing; ${others.join(", ")} tightens`;
  const rules = lintedBy.map(code).join(" and ");
  return `nothing; ${lintedBy.length > 1 ? `the rules ${rules} look` : `the rule ${rules} looks`} at ${others.join(" and ")}`;
}

const REFERENCE = "packages/hasp/docs/reference";

/** Prints the findings that belong to no rule: one page for each phase, and an index. */
async function diagnosticsPages() {
  const { describeMessage } = await importInner("base", "diagnostics/index.ts");
  const { declaredFindings } = await importInner("hasp", "cli/show/explain.ts");
  const { findingPhases } = await importInner("compiler", "model/finding-ids.ts");
  const phases = await Promise.all(
    [...findingPhases].map(async ([phase, introduction]) => {
      const findings = [...(await declaredFindings(phase))].toSorted(([left], [right]) => (left < right ? -1 : 1));
      return { phase, introduction, findings };
    }),
  );
  const list = page(
    "# The diagnostics",
    "Every finding of `hasp` that is not one of its [rules](rules.md), by the first part of its id. None of these can be suppressed; a " +
      "rule's finding can. `hasp show <id>` prints one of them. This page is printed from the definitions.",
    table(
      ["findings", "number", "where hasp finds them"],
      phases.map(({ phase, introduction, findings }) => [
        `[${phase}](diagnostics/${phase}.md)`,
        findings.length,
        introduction,
      ]),
    ),
  );
  const each = phases.map(({ phase, introduction, findings }) => [
    `${REFERENCE}/diagnostics/${phase}.md`,
    page(
      `# Diagnostics: ${phase}`,
      `${introduction} \`<…>\` stands for what differs. This page is printed from the definitions; ` +
        "[all diagnostics](../diagnostics.md).",
      table(
        ["finding", "severity", "message"],
        findings.map((finding) => row(finding, describeMessage)),
      ),
    ),
  ]);
  return [[`${REFERENCE}/diagnostics.md`, list], ...each];
}

function row([id, definition], describeMessage) {
  const messages = [definition.message, definition.help].flatMap((message) =>
    message === undefined ? [] : describeMessage(message),
  );
  return [
    code(id),
    definition.severity,
    [...new Set(messages)].map((message) => message.replaceAll("<", "&lt;")).join("<br>"),
  ];
}

/** Prints the results of killing processes during durable calls, and the cost of such calls. */
function durableMeasurementsPage() {
  const { kills, costs } = JSON.parse(readFileSync(join(root, "test/durable/measured.json"), "utf8"));
  return page(
    "# Durable calls, measured",
    "What holds of [durable calls](../durable-calls.md) when processes are killed, and what a stored call costs. This page is printed from " +
      "`test/durable/measured.json`.",
    "## Kills",
    "`node test/durable/kill-proof.js` works through 200 turns in each row. A turn has a write with a key, a write to a table and two calls that " +
      "a person decides; some are denied, and some tools change between question and answer. A service counts the effects by key. Processes are " +
      "killed with SIGKILL: one at each transition of each turn (before the store is asked, while it works, or after it answered), or 500 and " +
      "more at random moments; in the last rows, Postgres is killed as well. Another process takes the place of a killed one. The command exits " +
      "with 1 if any promise was broken; a small version runs with the tests. Measured on a busy machine with two cores; rows of fewer turns " +
      "were stopped early.",
    table(kills.head, kills.rows),
    "*Settled as unknown* counts the calls that may or may not have taken effect: the price of at most once. A kill at each transition hits most " +
      "calls that may run only once in the middle.",
    "## Costs",
    "`pnpm bench durable` measures each store beside the bare operation that it needs: on files, appending 600 bytes and `fsync`; on Postgres, " +
      "one insert and one update, each a transaction. The ratio is the median over pairs, on an idle machine with two cores.",
    table(costs.head, costs.rows),
    "On files, a call that runs alone is flushed once, together with the result of the call before it. A turn of one call is flushed twice: with " +
      "its reservation and with its result. Beyond the disk, a call costs 0.13 ms of processor time, so the faster the disk, the higher the ratio.",
  );
}

function guaranteesPage() {
  const guarantees = JSON.parse(readFileSync(join(root, "test/guarantees.json"), "utf8"));
  const topics = [...new Set(guarantees.map(({ topic }) => topic))];
  return page(
    "# Guarantees",
    "What the dispatcher promises about [calls](../calls-at-run-time.md) and [durable calls](../durable-calls.md), and the test that " +
      "proves each promise. This page is printed from `test/guarantees.json`; a test checks that every named test exists.",
    topics.flatMap((topic) => [
      `## ${topic[0].toUpperCase()}${topic.slice(1)}`,
      table(
        ["guarantee", "proved by"],
        guarantees.filter((each) => each.topic === topic).map(({ holds, tests }) => [holds, proofs(tests)]),
      ),
    ]),
  );
}

const proofs = (tests) =>
  Object.entries(tests)
    .map(([file, titles]) => `${code(file)}: ${titles.map((title) => `*${title.replaceAll("*", "\\*")}*`).join(", ")}`)
    .join("<br>");

async function looseningPage() {
  const [{ WAYS_TO_LOOSEN }, { isUnproved, findList }] = await Promise.all([
    importInner("project", "plugins/ways-to-loosen.testing.ts"),
    importInner("compiler", "doors/diff.ts"),
  ]);
  const parts = [...new Set(WAYS_TO_LOOSEN.map(({ part }) => part))];
  return page(
    "# Every way to loosen a project",
    "What makes a project safe in fewer cases than before, and the finding of [`hasp diff`](../diff.md) that reports it. The list is " +
      "derived from the tables of fields and of keywords. A test makes each of these changes and looks for the finding. A finding that " +
      "*may* be so is one that hasp could not prove. This page is printed from the code.",
    parts.flatMap((part) => [
      `## ${part[0].toUpperCase()}${part.slice(1)}`,
      table(
        ["change", "finding", "list"],
        WAYS_TO_LOOSEN.filter((way) => way.part === part).map(({ what, finding }) => {
          const id = `diff/${finding}`;
          const list = findList({ code: id });
          return [what, code(id), isUnproved(id) ? `${list} (*may*)` : list];
        }),
      ),
    ]),
  );
}

function realDocumentsPage() {
  const results = JSON.parse(readFileSync(join(root, "test/bench/openapi/results.json"), "utf8"));
  return page(
    "# Real documents",
    "How much of well-known APIs works without code. `pnpm bench openapi` puts each document through README's four commands, and calls " +
      "every operation with generated inputs, on a service that the document describes and that refuses whatever does not conform. " +
      "*Left open* counts what `approve --imported` approves. This page is printed from the results. [From OpenAPI](../guides/from-openapi.md) is the guide.",
    table(
      ["document", "operations", "imported", "left open", "called", "accepted", "why not all"],
      results.map(({ document, operations, claims, carried, called, accepted, why }) => [
        document,
        operations,
        carried,
        claims ?? "",
        called,
        accepted,
        why ?? "",
      ]),
    ),
  );
}

async function rulesPage() {
  const { rules } = await importInner("builtin", "rules/index.ts");
  const sorted = rules.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  return page(
    "# The rules",
    "What `hasp check` looks for beyond the format itself. The configuration sets a rule to `error`, `warning`, `info` or `off` under " +
      "`rules`; a finding is suppressed in place, with a reason: `# hasp-ignore <id> -- why`. `hasp show <id>` prints the same in a " +
      "terminal. This page is printed from the rules, whose tests run each example.",
    table(
      ["rule", "default", "what must be so"],
      sorted.map(({ id, severity, summary }) => [`[${id}](#${id.replace("/", "")})`, severity, summary]),
    ),
    sorted.flatMap(ruleSection),
  );
}

function ruleSection({ id, severity, summary, why, examples }) {
  const good = examples.good.map((example) => (typeof example === "string" ? { spec: example } : example));
  return [
    `## ${id}`,
    `${summary} (${severity === "off" ? "off unless the configuration asks for it" : severity})`,
    why,
    ...example("Refused", examples.bad[0]),
    ...example("Accepted", good[0]),
  ];
}

function example(title, { spec, plan }) {
  const settings = plan === undefined ? "" : `, with the settings ${code(JSON.stringify(plan))}`;
  return [`${title}${settings}:`, block("yaml", spec)];
}

export async function pages() {
  const { tapeSchema } = await importBuilt("testing", "index.js");
  const [
    { haspConfigSchema, toolSpecSchema },
    { policySchema },
    { compiledModelSchema },
    { configSchemaForEditors },
    { rules },
  ] = await Promise.all([
    importInner("project", "config/formats.ts"),
    importInner("compiler", "spec/policy-schema.ts"),
    importInner("compiler", "spec/compiled-model-schema.ts"),
    importInner("compiler", "spec/editor-schemas.ts"),
    importInner("builtin", "rules/index.ts"),
  ]);
  const reference = "packages/hasp/docs/reference";
  return new Map([
    ["packages/hasp/schema/tool-spec.schema.json", `${JSON.stringify(toolSpecSchema, null, 2)}\n`],
    ["packages/hasp/schema/compiled-model.schema.json", `${JSON.stringify(compiledModelSchema, null, 2)}\n`],
    [
      "packages/hasp/schema/bundle.schema.json",
      `${JSON.stringify(createBundleSchema(compiledModelSchema.$defs.Tool), null, 2)}\n`,
    ],
    ["packages/hasp/schema/tape.schema.json", `${JSON.stringify(tapeSchema, null, 2)}\n`],
    ["packages/hasp/schema/policy.schema.json", `${JSON.stringify(policySchema, null, 2)}\n`],
    [
      "packages/hasp/schema/hasp-config.schema.json",
      `${JSON.stringify(configSchemaForEditors(haspConfigSchema, rules), null, 2)}\n`,
    ],
    ...(await referencePages()).map(([file, page]) => [`${reference}/${file}`, page]),
    [`${reference}/rules.md`, await rulesPage()],
    [`${reference}/dialects.md`, await dialectsPage()],
    [`${reference}/clients.md`, await clientsPage()],
    ...(await diagnosticsPages()),
    [`${reference}/durable-measurements.md`, durableMeasurementsPage()],
    [`${reference}/guarantees.md`, guaranteesPage()],
    [`${reference}/real-documents.md`, realDocumentsPage()],
    [`${reference}/lowering-examples.md`, await loweringExamplesPage()],
    [`${reference}/commands.md`, await commandsPage()],
    [`${reference}/loosening.md`, await looseningPage()],
    ...(await runtimePages()).map(([file, text]) => [`${reference}/${file}`, text]),
    ...(await apiReports()),
    ["packages/hasp/docs/fail-closed.md", await defaultsTable("packages/hasp/docs/fail-closed.md")],
  ]);
}
