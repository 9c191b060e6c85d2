import { importBuilt, importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";

/** Prints the page that compares the dialects. */
export async function dialectsPage() {
  const { dialects } = await importBuilt("schema", "index.js");
  const { provenance } = await importInner("schema", "dialects/provenance.ts");
  const { keywordOrder } = await importInner("schema", "dialects/definition/keyword-table.ts");
  const all = Object.values(dialects);
  const groups = groupsOf(all);
  const heads = groups.map((_, index) => String.fromCodePoint("A".codePointAt(0) + index));
  return page(
    "# The dialects",
    "What each provider's API accepts as a tool schema, as the data says by which `lower` works; [lowering](../lowering.md) says what the " +
      "words mean. *Unverified* dialects rest on inferred, old or second-hand facts. This page is printed from the data.",
    table(
      ["dialect", "family", "facts", "strict", "column"],
      all.map((dialect) => [
        `[${dialect.id}](#${dialect.id})`,
        code(dialect.family),
        dialect.confidence,
        strictness(dialect),
        heads[groups.findIndex((group) => group.includes(dialect))],
      ]),
    ),
    "## Keywords",
    "`keep`: it passes, with the schemas in it lowered. `rewrite`: a transform says the same in other words. `words`: the description says " +
      "it, and it is a loss. `drop`: an annotation that no value depends on. `refuse`: a tool that has it is left out.",
    table(
      ["keyword", ...heads],
      keywordOrder.map((keyword) => [code(keyword), ...groups.map(([first]) => first.keywords[keyword] ?? "refuse")]),
    ),
    "## Shapes",
    table(
      ["shape", ...heads],
      Object.keys(all[0].shapes).map((shape) => [code(shape), ...groups.map(([first]) => plain(first.shapes[shape]))]),
    ),
    "## Each by itself",
    all.flatMap((dialect) => dialectSection({ ...dialect, ...provenance[dialect.id] })),
  );
}

/** Groups dialects with the same keywords and shapes, which share a column. */
function groupsOf(all) {
  const groups = new Map();
  for (const dialect of all) {
    const sameness = JSON.stringify([dialect.keywords, dialect.shapes]);
    groups.set(sameness, [...(groups.get(sameness) ?? []), dialect]);
  }
  return [...groups.values()];
}

function strictness({ variants }) {
  if (variants.strict !== undefined) return `no; ${code(variants.strict)} is`;
  return variants.loose === undefined ? "has no such mode" : `yes; ${code(variants.loose)} is not`;
}

const plain = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : value);

function dialectSection(dialect) {
  const {
    id,
    confidence,
    checkedOn,
    sources,
    notes,
    formats,
    patterns,
    propertyName,
    rootKeywords,
    descriptionLength,
    largestMinItems,
  } = dialect;
  const facts = [
    ["tool name", nameRule(dialect.toolName)],
    [
      "property name",
      propertyName === undefined
        ? "any"
        : `${nameRule(propertyName)}, ${propertyName.scope === "root" ? "at the root" : "everywhere"}`,
    ],
    ["description", descriptionLength === undefined ? "no known bound" : `at most ${descriptionLength} characters`],
    ["`format`", formats === "any" ? "any" : formats.length === 0 ? "none" : formats.map(code).join(", ")],
    ["`pattern`", patterns],
    ...(largestMinItems === undefined ? [] : [["largest `minItems`", largestMinItems]]),
    [
      "at the root",
      rootKeywords === undefined
        ? "as elsewhere"
        : Object.entries(rootKeywords)
            .map(([keyword, action]) => `${code(keyword)} ${action}`)
            .join(", "),
    ],
    ["limits", limitsOf(dialect.limits)],
  ];
  return [
    `### ${id}`,
    table(["", `${confidence}, read on ${checkedOn}`], facts),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    `Sources: ${sources.join("; ")}.`,
  ];
}

const nameRule = ({ first, further, maxLength }) =>
  code(`^${first}${first === further ? `{1,${maxLength}}` : `${further}{0,${maxLength - 1}}`}$`);

const LIMITS = {
  depth: "levels of nesting",
  properties: "properties in a schema",
  enumValues: "enum values in a schema",
  nameAndValueLength: "characters of names and listed values in a schema",
  tools: "tools in a request, without deferred ones",
  deferredTools: "deferred tools in a request",
  strictTools: "strict tools in a request",
  optionalProperties: "optional properties in a request's strict tools",
  unionProperties: "properties with a union in a request's strict tools",
  requestProperties: "properties in a request's strict tools",
};

function limitsOf(limits) {
  const told = Object.entries(limits).map(([name, limit]) => {
    if (name === "largeEnum") return `${limit.length} characters in an enum of more than ${limit.values} values`;
    if (LIMITS[name] === undefined) {
      throw new Error(`Say in test/gen/dialects-page.js what the limit "${name}" counts.`);
    }
    return `${limit} ${LIMITS[name]}`;
  });
  return told.length === 0 ? "none known" : told.join("; ");
}
