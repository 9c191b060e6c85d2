import { importInner } from "./import-built.js";
import { block, code, page, table } from "./markdown.js";

/** Prints every rule with its reason, and examples that break and keep it. */
export async function rulesPage() {
  const { rules } = await importInner("compiler", "builtin/rules/index.ts");
  const sorted = rules.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  return page(
    "# The rules",
    "What `hasp check` looks for beyond the format itself. The configuration sets a rule to `error`, `warning`, `info` or `off` under " +
      "`rules`; a finding is suppressed in place, with a reason: `# hasp-ignore <id> -- why`. `hasp explain <id>` prints the same in a " +
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
