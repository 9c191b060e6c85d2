import type { DialectFacts } from "./shared.testing.js";

type SchemaNode = { readonly [keyword: string]: unknown };

/** A rule of a dialect that a schema breaks. */
export interface Violation {
  readonly pointer: string;
  readonly rule: string;
}

/**
 * Checks a schema as it would be sent against what `providers.json` says its dialect accepts. It shares nothing with
 * the lowering: neither its tables nor its walk. A word that the facts do not list is a violation too.
 */
export function checkDialect(schema: unknown, facts: DialectFacts): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (pointer: string, rule: string): void => void violations.push({ pointer, rule });
  const totals = { properties: 0, enumValues: 0, characters: 0, depth: 0 };

  visit(schema, "", 0);
  if (facts.maxProperties !== null && totals.properties > facts.maxProperties) {
    report("", `${totals.properties} properties`);
  }
  if (facts.maxEnumValues !== null && totals.enumValues > facts.maxEnumValues) {
    report("", `${totals.enumValues} enum values`);
  }
  if (facts.maxDepth !== null && totals.depth > facts.maxDepth) report("", `objects nested ${totals.depth} deep`);
  if (facts.maxTotalStringLength !== null && totals.characters > facts.maxTotalStringLength) {
    report("", `${totals.characters} characters of names and values`);
  }
  return violations;

  function visit(node: unknown, pointer: string, depth: number): void {
    if (typeof node === "boolean") return judge("booleanSchema", pointer);
    if (!isNode(node)) return report(pointer, "is no schema");
    for (const word of wordsOf(node, pointer, schema)) judge(word, pointer);
    checkRules(node, pointer, report, facts);
    count(node, depth);
    const isObject = isNode(node["properties"]);
    for (const [keyword, part] of Object.entries(node)) {
      const below = `${pointer}/${keyword}`;
      if (
        ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].includes(keyword) &&
        isNode(part)
      ) {
        for (const [name, inner] of Object.entries(part)) {
          visit(inner, `${below}/${name}`, isObject ? depth + 1 : depth);
        }
      } else if (["items", "not", "if", "then", "else", "contains", "propertyNames"].includes(keyword)) {
        visit(part, below, depth);
      } else if (["additionalProperties", "unevaluatedProperties", "unevaluatedItems"].includes(keyword)) {
        if (typeof part !== "boolean") visit(part, below, depth);
      } else if (["allOf", "anyOf", "oneOf", "prefixItems"].includes(keyword) && Array.isArray(part)) {
        for (const [index, inner] of part.entries()) visit(inner, `${below}/${index}`, depth);
      }
    }
  }

  function judge(word: string, pointer: string): void {
    const verdict = (pointer === "" ? facts.keywordsRoot[word] : undefined) ?? facts.keywords[word];
    if (verdict === "reject") report(pointer, word);
    else if (verdict === undefined && !ROOT_ONLY.has(word)) report(pointer, `${word} (not listed)`);
  }

  function count(node: SchemaNode, depth: number): void {
    const names = isNode(node["properties"]) ? Object.keys(node["properties"]) : [];
    const values = Array.isArray(node["enum"]) ? node["enum"] : [];
    const defined = isNode(node["$defs"]) ? Object.keys(node["$defs"]) : [];
    totals.properties += names.length;
    totals.enumValues += values.length;
    totals.depth = Math.max(totals.depth, names.length > 0 ? depth + 1 : depth);
    for (const text of [...names, ...values, ...defined, node["const"]]) {
      if (typeof text === "string") totals.characters += text.length;
    }
  }
}

/** Words that only say something of a root. */
const ROOT_ONLY = new Set(["type:missing", "type:nonObject"]);

/** The words of `providers.json` that apply to one node. */
function wordsOf(node: SchemaNode, pointer: string, root: unknown): readonly string[] {
  const words: string[] = [];
  for (const [keyword, part] of Object.entries(node)) {
    if (["if", "then", "else"].includes(keyword)) words.push("if/then/else");
    else if (["minContains", "maxContains"].includes(keyword)) words.push("contains");
    else if (["deprecated", "readOnly", "writeOnly"].includes(keyword)) words.push("deprecated/readOnly/writeOnly");
    else if (keyword === "additionalProperties") {
      words.push(`additionalProperties:${typeof part === "boolean" ? String(part) : "schema"}`);
    } else words.push(keyword);
  }
  if (Object.keys(node).length === 0) words.push("emptySchema");
  const { type, enum: values, required, properties, items, $ref } = node;
  const types = Array.isArray(type) ? type : [type];
  if (Array.isArray(type)) words.push("type:array");
  if (types.includes("null")) words.push("type:null");
  if (Array.isArray(values)) {
    if (values.some((value) => typeof value !== "string")) words.push("enum:nonString");
    if (values.some((value) => typeof value === "object" && value !== null)) words.push("enum:objectsOrArrays");
  }
  if (types.includes("object") && properties === undefined) words.push("properties:missing");
  if (isNode(properties) && Object.keys(properties).length === 0) words.push("properties:empty");
  if (Array.isArray(required)) {
    if (required.length === 0) words.push("required:empty");
    if (required.some((name) => !isNode(properties) || !Object.hasOwn(properties, name))) {
      words.push("required:undeclared");
    }
  }
  if (types.includes("array") && items === undefined && node["prefixItems"] === undefined) words.push("items:missing");
  if (Array.isArray(items)) words.push("items:tupleArray");
  if (typeof $ref === "string") {
    if (Object.keys(node).some((keyword) => !["$ref", "$defs"].includes(keyword))) words.push("$ref+siblings");
    if (!$ref.startsWith("#")) words.push("externalRef");
    if (leadsBack($ref, root)) words.push("recursiveRef");
  }
  if (pointer === "") {
    if (type === undefined) words.push("type:missing");
    else if (type !== "object") words.push("type:nonObject");
  }
  return words;
}

function checkRules(
  node: SchemaNode,
  pointer: string,
  report: (pointer: string, rule: string) => void,
  { strict, formats, keywords, propertyKeyRegex, rules = [], rootType }: DialectFacts,
): void {
  const { type, properties, format, pattern, minItems, enum: values, allOf } = node;
  const isType = (name: string): boolean => (Array.isArray(type) ? type.includes(name) : type === name);
  const names = isNode(properties) ? Object.keys(properties) : [];
  if (pointer === "" && rootType !== null && type !== rootType) report(pointer, `the root is no ${rootType}`);
  if (
    typeof format === "string" &&
    keywords["format"] === "accept" &&
    !formats.includes("*") &&
    !formats.includes(format)
  ) {
    report(pointer, `format ${format}`);
  }
  if (isType("object") || properties !== undefined) {
    if (strict.requiresAdditionalPropertiesFalse === true && node["additionalProperties"] !== false) {
      report(pointer, "additionalProperties is not false");
    }
    const required = Array.isArray(node["required"]) ? node["required"] : [];
    if (strict.requiresAllRequired === true && names.some((name) => !required.includes(name))) {
      report(pointer, "not all required");
    }
    if (strict.requiresAtLeastOneRequired === true && required.length === 0) report(pointer, "none required");
  }
  if (
    strict.minItemsAllowed !== undefined &&
    minItems !== undefined &&
    !strict.minItemsAllowed.includes(Number(minItems))
  ) {
    report(pointer, `minItems ${String(minItems)}`);
  }
  if (typeof pattern === "string") {
    for (const part of strict.patternUnsupported ?? []) {
      if (UNSUPPORTED[part]?.test(pattern) === true) report(pointer, `pattern with ${part}`);
    }
  }
  if (strict.largeEnum !== undefined && Array.isArray(values) && values.length > strict.largeEnum.overValues) {
    const size = values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
    if (size > strict.largeEnum.maxChars) report(pointer, "an enum too large");
  }
  if (strict.allOfWithRef === "reject" && Array.isArray(allOf) && JSON.stringify(allOf).includes('"$ref"')) {
    report(pointer, "allOf with $ref");
  }
  if (propertyKeyRegex !== null && (pointer === "" || !propertyKeyRegex.scope.startsWith("top-level"))) {
    const shape = new RegExp(propertyKeyRegex.pattern);
    for (const name of names) if (!shape.test(name)) report(pointer, `a property named ${JSON.stringify(name)}`);
  }
  for (const rule of rules) RULES[rule]?.(node, pointer, (problem) => report(pointer, problem));
}

const UNSUPPORTED: { readonly [part: string]: RegExp } = {
  backreference: /\\[1-9]|\\k</,
  lookahead: /\(\?[=!]/,
  lookbehind: /\(\?<[=!]/,
  lookaround: /\(\?<?[=!]/,
  "\\b": /\\b/,
  "\\B": /\\B/,
  "^": /(?:^|[^[\\])\^/,
  $: /(?:^|[^\\])\$/,
  "?=": /\(\?=/,
  "?!": /\(\?!/,
};

/** The rules that `providers.json` gives in words, by those words. */
const RULES: {
  readonly [rule: string]: (node: SchemaNode, pointer: string, report: (problem: string) => void) => void;
} = {
  "anyOf must be the only field on its node": (node, _pointer, report) => {
    if ("anyOf" in node && Object.keys(node).length > 1) report("anyOf beside other fields");
  },
  "enum values are strings on STRING nodes; no empty string": (node, _pointer, report) => {
    if (!Array.isArray(node["enum"])) return;
    if (node["type"] !== "string") report("enum on a node that is no string");
    if (node["enum"].includes("")) report("an empty string in enum");
  },
  "properties/required only on OBJECT, items only on ARRAY": (node, _pointer, report) => {
    if (("properties" in node || "required" in node) && node["type"] !== "object") {
      report("properties on a node that is no object");
    }
    if ("items" in node && node["type"] !== "array") report("items on a node that is no array");
  },
};

/** True if a local reference leads back to itself. */
function leadsBack(start: string, root: unknown): boolean {
  const visited = new Set<string>();
  const queue = [start];
  for (const reference of queue) {
    const isNew = !visited.has(reference);
    visited.add(reference);
    if (!isNew || !reference.startsWith("#")) continue;
    const inner = [...JSON.stringify(targetOf(reference, root) ?? null).matchAll(/"\$ref":"((?:[^"\\]|\\.)*)"/g)];
    for (const [, found = ""] of inner) {
      const next = JSON.parse(`"${found}"`) as string;
      if (next === start) return true;
      queue.push(next);
    }
  }
  return false;
}

function targetOf(reference: string, root: unknown): unknown {
  let node = root;
  for (const token of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    node = typeof node === "object" && node !== null ? (node as SchemaNode)[key] : undefined;
  }
  return node;
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
