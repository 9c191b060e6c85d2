type SchemaNode = { readonly [keyword: string]: unknown };

/** The keywords that Moonshot's strictest level takes beside each type. */
const MOONSHOT_KEYWORDS: { readonly [type: string]: readonly string[] } = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
  string: ["enum", "minLength", "maxLength"],
  number: ["enum", "minimum", "maximum"],
  integer: ["enum", "minimum", "maximum"],
  boolean: ["enum"],
  null: ["enum"],
};

const MOONSHOT_RESERVED = ["$defs", "$ref", "anyOf", "required", "additionalProperties"];

/** Finds what Moonshot refuses, silently drops or changes in a schema, from its documents. Knows nothing of dialects. */
export function findMoonshotFaults(schema: unknown): readonly string[] {
  const faults: string[] = [];
  const total = { properties: 0 };
  visit(schema, "", 0, false);
  if (total.properties > 3000) faults.push("too many properties");
  return faults;

  function visit(node: unknown, at: string, depth: number, isDefined: boolean): void {
    const report = (fault: string): void => void faults.push(`${at}: ${fault}`);
    if (!isNode(node)) return report("is no object");
    if (depth > 30) report("is nested too deep");
    const isRoot = at === "";
    const common = ["title", "description", ...(isRoot ? ["$defs"] : [])];
    for (const [name, definition] of Object.entries(isNode(node["$defs"]) ? node["$defs"] : {})) {
      if (name.includes("/")) report(`the definition ${name} has a slash`);
      visit(definition, `${at}/$defs/${name}`, depth, true);
    }
    const own = node["anyOf"] === undefined ? (node["$ref"] === undefined ? undefined : "$ref") : "anyOf";
    const type = typeof node["type"] === "string" ? node["type"] : "";
    const allowed = own === undefined ? ["type", "default", ...(MOONSHOT_KEYWORDS[type] ?? [])] : [own];
    for (const keyword of Object.keys(node)) {
      if (![...allowed, ...common].includes(keyword)) report(`${keyword} beside ${own ?? type}`);
    }
    if (own === undefined && MOONSHOT_KEYWORDS[type] === undefined) report("has no type");
    for (const [index, branch] of (Array.isArray(node["anyOf"]) ? node["anyOf"] : []).entries()) {
      visit(branch, `${at}/anyOf/${index}`, depth, isDefined);
    }
    if (own === "$ref" && !/^#(\/\$defs\/[^/]+)?$/.test(String(node["$ref"]))) report("refers to elsewhere");
    checkValues(node, type, report);
    const properties = isNode(node["properties"]) ? node["properties"] : {};
    for (const [name, inner] of Object.entries(properties)) {
      if (MOONSHOT_RESERVED.includes(name)) report(`${name} is a reserved name`);
      if (isDefined && name.includes("/")) report(`${name} has a slash`);
      total.properties += 1;
      visit(inner, `${at}/properties/${name}`, depth + 1, isDefined);
    }
    checkRequired(node, properties, report);
    if (node["items"] !== undefined) visit(node["items"], `${at}/items`, depth, isDefined);
    const further = node["additionalProperties"];
    if (isNode(further) && Object.keys(further).length > 0) {
      visit(further, `${at}/additionalProperties`, depth, isDefined);
    }
  }
}

function checkValues(node: SchemaNode, type: string, report: (fault: string) => void): void {
  const values = node["enum"];
  if (values !== undefined) {
    const fits = type === "string" || type === "boolean" ? type : "number";
    if (!Array.isArray(values) || values.length === 0 || values.length > 1000) report("enum is no list of 1 to 1000");
    else if (values.some((value) => typeof value !== fits)) report("enum mixes types");
  }
  for (const keyword of ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"]) {
    const bound = node[keyword];
    if (bound !== undefined && !(Number.isInteger(bound) && Number(bound) >= 0)) report(`${keyword} is changed`);
  }
  for (const noun of ["Length", "Items", "imum"]) {
    const [least, most] = [node[`min${noun}`] ?? 0, node[`max${noun}`] ?? Infinity].map(Number);
    if (Number(least) > Number(most)) report("bounds contradict each other");
  }
}

/** The words of a pattern that llama.cpp's converter refuses, with the whole request. */
const UNCOMMON = /\\[DSWbBpPk1-9]|\(\?(?!:)/;

/** Finds what one of the servers with OpenAI's chat API refuses, from reports about them. Knows nothing of dialects. */
export function findCompatibleFaults(schema: unknown): readonly string[] {
  const faults: string[] = [];
  visit(schema, "");
  return faults;

  function visit(node: unknown, at: string): void {
    const report = (fault: string): void => void faults.push(`${at}: ${fault}`);
    if (!isNode(node)) return report("is no object");
    for (const keyword of ["$ref", "oneOf", "allOf", "not", "if", "const", "patternProperties", "propertyNames"]) {
      if (node[keyword] !== undefined) report(`says ${keyword}`);
    }
    const branches = Array.isArray(node["anyOf"]) ? (node["anyOf"] as readonly SchemaNode[]) : [];
    if (branches.length === 0 && typeof node["type"] !== "string") report("has no type");
    for (const [index, branch] of branches.entries()) {
      if (branch["anyOf"] !== undefined) report("has a union in a union");
      visit(branch, `${at}/anyOf/${index}`);
    }
    const pattern = node["pattern"];
    if (typeof pattern === "string" && (!/^\^.*\$$/su.test(pattern) || UNCOMMON.test(pattern))) {
      report(`has the pattern ${pattern}`);
    }
    const properties = isNode(node["properties"]) ? node["properties"] : {};
    for (const [name, inner] of Object.entries(properties)) visit(inner, `${at}/properties/${name}`);
    checkRequired(node, properties, report);
    if (node["type"] === "array" && node["items"] === undefined) report("does not say its items");
    if (node["items"] !== undefined) visit(node["items"], `${at}/items`);
    const further = node["additionalProperties"];
    if (isNode(further) && Object.keys(further).length > 0) visit(further, `${at}/additionalProperties`);
  }
}

function checkRequired(node: SchemaNode, properties: SchemaNode, report: (fault: string) => void): void {
  const required = node["required"];
  if (required === undefined) return;
  if (!Array.isArray(required)) return report("required is no list");
  for (const name of required) if (!Object.hasOwn(properties, String(name))) report(`${name} is not declared`);
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
