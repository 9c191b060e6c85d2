import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importBuilt } from "./import-built.js";
import { root } from "./root.js";

const EXAMPLE =
  /<!-- lower (\S+)((?: \w+)*)((?: \| .+?)*) -->\n```js\n([\s\S]*?)\n```\n\nbecomes\n\n```js\n([\s\S]*?)```/g;

/**
 * Replaces `<!-- lower <dialect> [root] [optional] [narrowing] | <value> | … -->` blocks of a page with what `lower`
 * gives.
 * The schema of an example is that of one property, unless it says `root`; `absent` leaves the property out.
 */
export async function loweringExamples(path) {
  const { lower } = await importBuilt("schema", "index.js");
  const text = readFileSync(join(root, path), "utf8");
  const marks = text.match(/<!-- lower /g)?.length ?? 0;
  let count = 0;
  const filled = text.replace(EXAMPLE, (whole, dialect, flags, values, schema, given) => {
    count += 1;
    const words = flags.trim().split(" ");
    const example = { dialect, words, values: values.split(" | ").slice(1), schema: JSON.parse(schema) };
    return `${whole.slice(0, whole.length - given.length - 3)}${shown(lower, example)}\n\`\`\``;
  });
  if (count < marks) {
    throw new Error(
      `${path}: ${marks - count} of its examples have lost their form; see test/gen/lowering-examples.js.`,
    );
  }
  return filled;
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
