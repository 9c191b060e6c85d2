import { importBuilt } from "./import-built.js";
import { block, code, page } from "./markdown.js";
import examples from "./lowering-examples.json" with { type: "json" };

/**
 * Prints the page of examples: each schema, and what `lower` makes of it and of some values.
 * The schema of an example is that of one property, unless its flags say `root`; the value `absent` leaves the property out.
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

/** Prints JSON, on one line where it fits. */
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
