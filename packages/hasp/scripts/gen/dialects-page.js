import examples from "./lowering-examples.json" with { type: "json" };
import { block, code, page, table } from "./markdown.js";
import { importBuilt, importInner } from "./workspace.js";

/**
 * Prints the page of examples: each schema, and what `lower` makes of it and of some values. The schema of an example
 * is that of one property, unless its flags say `root`; the value `absent` leaves the property out.
 */
export async function loweringExamplesPage() {
  const { lower } = await importBuilt("schema", "index.js");
  const titles = new Set(examples.map(({ title }) => title));
  return page(
    "# Lowering, by example",
    "What [lowering](../lowering.md) makes of a schema, and how a value travels. Each schema is that of one property, unless it is a root. " +
      "This page is printed from examples that `lower` is run on.",
    [...titles].flatMap((title) => [
      `## ${title}`,
      ...examples.filter((each) => each.title === title).flatMap((each) => example(lower, each)),
    ]),
  );
}

function example(lower, { dialect, flags = [], values = [], schema }) {
  const details = [
    ...flags.filter((flag) => flag !== "optional"),
    ...(flags.includes("optional") ? ["optional property"] : []),
  ];
  return [
    `In ${code(dialect)}${details.length === 0 ? "" : ` (${details.join(", ")})`}:`,
    block("js", indented(schema, "")),
    "becomes",
    block("js", shown(lower, { dialect, words: flags, values, schema })),
  ];
}

function shown(lower, { dialect, words, values, schema }) {
  const isRoot = words.includes("root");
  const input = isRoot ? schema : asProperty(schema, words.includes("optional"));
  const result = lower(input, dialect, { allowNarrowing: words.includes("narrowing") });
  if (result.schema === undefined) {
    return result.diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, message }) => `// ${code}: ${message}`)
      .join("\n");
  }
  const { properties, $defs } = result.schema;
  const lowered = isRoot ? result.schema : $defs === undefined ? properties.x : { ...properties.x, $defs };
  const sent = values.map((text) => {
    if (isRoot) return `// ${text} is sent as ${inline(result.encode(JSON.parse(text)))}`;
    const { x } = result.encode(text === "absent" ? {} : { x: JSON.parse(text) });
    return `// ${text} is sent as ${inline(x)}`;
  });
  const losses = isRoot ? result.losses : result.losses.filter(({ pointer }) => pointer !== "");
  const lost = [
    ...new Set(
      losses.map(({ keyword, direction, witness }) => lostLine(keyword, direction, isRoot ? witness : witness?.x)),
    ),
  ];
  return [indented(lowered, ""), ...sent, ...lost].join("\n");
}

function asProperty(schema, isOptional) {
  const { $defs, ...x } = schema;
  const object = {
    type: "object",
    properties: { x },
    ...(isOptional ? {} : { required: ["x"] }),
    additionalProperties: false,
  };
  return $defs === undefined ? object : { ...object, $defs };
}

function lostLine(keyword, direction, witness) {
  const differs = witness === undefined ? "" : `, for instance ${inline(witness)}`;
  return `// lost: ${keyword}, ${direction}${differs}`;
}

const WIDTH = 100;

function indented(value, indent) {
  const line = inline(value);
  if (indent.length + line.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => indented(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${indented(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${indent}${close}`;
}

function inline(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

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
      "words mean. *Unverified* dialects rest on inferred, old or second-hand facts; [hasp probe](../probing.md) asks a provider whether " +
      "they still hold. This page is printed from the data.",
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

export async function clientsPage() {
  const { clients } = await importInner("builtin", "clients/all.ts");
  return page(
    "# The clients",
    "What clients of MCP servers do not take, as the rule [providers/mcp-client](rules.md#providersmcp-client) knows it. `{server}` is the name of " +
      "the package, `{tool}` that of the tool. This page is printed from the data.",
    table(
      ["client", "fact", "it takes", "otherwise", "source", "date"],
      Object.values(clients).flatMap(({ title, id, facts }) =>
        Object.entries(facts).map(([fact, { effect, source, date, ...values }]) => [
          `${title}, ${code(id)}`,
          FACTS[fact],
          Object.values(values).map(code).join(" "),
          `it ${effect}`,
          source,
          date,
        ]),
      ),
    ),
  );
}

const FACTS = {
  nameLength: "names of this form, of at most so many characters",
  nameCharacters: "characters of names",
  descriptionLength: "characters of a description",
  tools: "tools of all servers together",
  arrayItems: "arrays with `items` only",
  outputRecursion: "output schemas that do not refer to themselves",
};

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
    facts: others = [],
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
    ...(dialect.fieldRules === undefined ? [] : [["fields", fieldsOf(dialect.fieldRules)]]),
  ];
  return [
    `### ${id}`,
    table(["", `${confidence}, read on ${checkedOn}`], facts),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    `Sources: ${sources.join("; ")}.`,
    ...(others.length === 0 ? [] : [table(["further fact", "source", "reported or read"], others)]),
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
  forcedItems: "as the sum of `maxItems` in a request that forces a call",
};

function fieldsOf({ exclusive = [], most = {} }) {
  const use = (each) => code(typeof each === "string" ? each : `${each.field}: ${each.begins}…`);
  return [
    ...exclusive.map(([one, other]) => `no tool with both ${use(one)} and ${use(other)}`),
    ...Object.entries(most).map(([field, count]) => `${code(field)} on at most ${count} tools of a request`),
  ].join("; ");
}

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
