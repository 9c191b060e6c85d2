import { findCompatibleFaults, findMoonshotFaults } from "./makers-rules.testing.js";

// The rules by which each provider refuses requests, taken from its documents and from reports, not from hasp's dialects.

type Json = { readonly [name: string]: unknown };

/** The rules for a tool's schema. */
interface SchemaRules {
  /** Words that are refused anywhere: keywords, and words with a colon that `wordsOf` lists. */
  readonly refused?: readonly string[];
  readonly refusedAtRoot?: readonly string[];
  /** The only keywords that are known, where unknown ones are refused. */
  readonly known?: readonly string[];
  /** The formats that are not refused. */
  readonly formats?: readonly string[];
  /** Patterns that match are refused. */
  readonly pattern?: RegExp;
  readonly mostMinItems?: number;
  /** Names of properties, of the root or of all objects. */
  readonly rootName?: RegExp;
  readonly anyName?: RegExp;
  readonly depth?: number;
  readonly properties?: number;
  readonly enumValues?: number;
  readonly characters?: number;
  readonly largeEnum?: readonly [values: number, characters: number];
  readonly faults?: (schema: unknown) => readonly string[];
}

/** One provider's API. */
export interface Provider {
  /** The end of the address. */
  readonly path: RegExp;
  readonly listOf: (body: Json) => unknown;
  readonly read: (tool: Json) => { readonly own: Json; readonly schema: unknown };
  readonly toolName?: RegExp;
  readonly description?: number;
  readonly tools?: number;
  readonly loose: SchemaRules | ((tool: Json) => SchemaRules);
  readonly strict?: SchemaRules;
  /** True for a request in which strictness is a field of the request. */
  readonly isStrict?: (body: Json) => boolean;
  /** Finds what is wrong with the list as a whole. */
  readonly findFaults?: (tools: readonly Json[]) => readonly string[];
}

const name64 = /^[a-zA-Z0-9_-]{1,64}$/;
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** The words that no strict mode compiles to a grammar. */
const neverStrict = [
  "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "prefixItems", "uniqueItems", "contains",
  "minContains", "maxContains", "patternProperties", "propertyNames", "minProperties", "maxProperties",
  "unevaluatedProperties", "unevaluatedItems", "enum:objects", "items:missing", "properties:missing", "$ref:siblings",
  "schema:boolean", "schema:empty", "type:missing", "closed:not", "required:undeclared", "$anchor",
]; // prettier-ignore

const rootUnions = ["anyOf", "oneOf", "allOf"];

const anthropicLoose: SchemaRules = {
  refused: ["items:list", "required:text"],
  refusedAtRoot: [...rootUnions, "$ref", "type:notObject"],
  rootName: /^[a-zA-Z0-9_.-]{1,64}$/,
};

const anthropicStrict: SchemaRules = {
  ...anthropicLoose,
  refused: [
    ...neverStrict, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "maxItems", "recursion", "nullable", "allOf:$ref", "$comment", "examples", "deprecated", "readOnly", "writeOnly",
    "contentEncoding", "contentMediaType", "contentSchema",
  ], // prettier-ignore
  formats: [...formats, "uri"],
  pattern: /\\[1-9]|\(\?<?[=!]|\\[bB]/,
  mostMinItems: 1,
};

const openaiLoose: SchemaRules = {
  refused: ["items:missing", "propertyNames"],
  refusedAtRoot: [...rootUnions, "enum", "not", "const", "$ref", "type:notObject", "properties:missing"],
};

const openaiStrict: SchemaRules = {
  refused: [...neverStrict, "allOf", "required:some"],
  refusedAtRoot: openaiLoose.refusedAtRoot ?? [],
  formats,
  pattern: /\(\?<?[=!]/,
  depth: 10,
  properties: 5000,
  enumValues: 1000,
  characters: 120_000,
  largeEnum: [250, 15_000],
};

const functionOf: Provider["read"] = (tool) => {
  const own = toObject(tool["function"]);
  return { own, schema: own["parameters"] };
};

const openai = { toolName: name64, loose: openaiLoose, strict: openaiStrict } as const;

/** The fields of Gemini's own schema; its parser refuses any other. */
const geminiSchema: SchemaRules = {
  known: [
    "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required",
    "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
    "minimum", "maximum",
  ], // prettier-ignore
  refused: [
    "type:list", "type:missing", "type:null", "enum:notText", "enum:emptyText", "items:missing", "properties:empty",
    "required:undeclared", "schema:boolean", "schema:empty", "anyOf:siblings",
  ], // prettier-ignore
  refusedAtRoot: ["anyOf", "type:notObject"],
  formats: ["enum", "date-time", "float", "double", "int32", "int64"],
  anyName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
};

const geminiJsonSchema: SchemaRules = { refused: ["$ref:siblings"], refusedAtRoot: ["type:notObject"] };

/** The providers, by name. */
export const providers: { readonly [name: string]: Provider } = {
  anthropic: {
    path: /\/v1\/messages$/,
    listOf: (body) => body["tools"],
    read: (tool) => ({ own: tool, schema: tool["input_schema"] }),
    toolName: name64,
    loose: anthropicLoose,
    strict: anthropicStrict,
    findFaults: findAnthropicFaults,
  },
  bedrock: {
    path: /\/model\/[^/]+\/converse$/,
    listOf: (body) => toObject(body["toolConfig"])["tools"],
    read: (tool) => {
      const own = toObject(tool["toolSpec"]);
      return { own, schema: toObject(own["inputSchema"])["json"] };
    },
    toolName: name64,
    loose: anthropicLoose,
    strict: anthropicStrict,
  },
  "openai-chat": {
    ...openai,
    path: /\/chat\/completions$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    description: 1024,
    tools: 128,
  },
  "openai-responses": {
    ...openai,
    path: /\/responses$/,
    listOf: (body) => body["tools"],
    read: (tool) => ({ own: tool, schema: tool["parameters"] }),
    findFaults: (tools) => {
      const isDeferring = tools.some((tool) => tool["defer_loading"] === true);
      return isDeferring && !tools.some(({ type }) => type === "tool_search")
        ? ["deferred tools need tool_search"]
        : [];
    },
  },
  gemini: {
    path: /:generateContent$/,
    listOf: (body) => toObject((body["tools"] as readonly unknown[] | undefined)?.[0])["functionDeclarations"],
    read: (tool) => ({ own: tool, schema: tool["parameters"] ?? tool["parametersJsonSchema"] }),
    toolName: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
    loose: (own) => (own["parameters"] === undefined ? geminiJsonSchema : geminiSchema),
  },
  mistral: {
    path: /\/chat\/completions$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    toolName: name64,
    loose: { refused: ["$schema", "$id"], refusedAtRoot: ["type:missing"] },
  },
  cohere: {
    path: /\/v2\/chat$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    loose: { refusedAtRoot: ["type:notObject"] },
    strict: {
      refused: [
        ...neverStrict.filter((word) => word !== "closed:not"), "allOf", "anyOf", "$ref", "$defs", "minLength", "maxLength",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "type:list",
        "enum:notText", "required:none", "additionalProperties", "default", "nullable", "examples", "deprecated", "readOnly",
        "writeOnly", "$comment", "contentEncoding", "contentMediaType", "contentSchema",
      ], // prettier-ignore
      refusedAtRoot: ["type:notObject"],
      formats: ["date-time", "uuid", "date", "time"],
      pattern: /[\^$]|\(\?[=!]/,
      properties: 200,
    },
    isStrict: (body) => body["strict_tools"] === true,
  },
  moonshot: {
    path: /\/chat\/completions$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    toolName: name64,
    loose: { faults: findMoonshotFaults, enumValues: 1000, anyName: /^[^/]{1,1000}$/ },
  },
  ollama: {
    path: /\/api\/chat$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    loose: { refused: ["schema:boolean"], refusedAtRoot: ["type:list"] },
  },
  "openai-compatible": {
    path: /\/chat\/completions$/,
    listOf: (body) => body["tools"],
    read: functionOf,
    toolName: name64,
    loose: { faults: findCompatibleFaults },
  },
};

/** Finds the provider that takes the lists of a dialect, by the dialect's name. */
export function providerOf(dialect: string): Provider {
  const provider = providers[dialect.replaceAll(/-strict$|-converse|-v2|-json-schema/g, "")];
  if (provider === undefined) throw new Error(`Nobody plays the provider of ${dialect}.`);
  return provider;
}

/** Finds the reasons for which a provider refuses a request; none if it takes it. */
export function findRefusals(provider: Provider, body: Json): readonly string[] {
  const list = provider.listOf(body);
  if (!Array.isArray(list)) return ["tools is no list"];
  const tools = list.filter(isObject);
  const isStrictRequest = provider.isStrict?.(body) ?? false;
  const faults = [...(provider.findFaults?.(tools) ?? [])];
  if (tools.length < list.length) faults.push("a tool is no object");
  if (list.length > (provider.tools ?? Infinity)) faults.push("too many tools");
  const names = new Set<unknown>();
  for (const tool of tools) {
    const { own, schema } = provider.read(tool);
    if (schema === undefined && own["name"] === undefined) continue;
    // A tool of the provider's own, such as its search.
    if (schema === undefined && typeof tool["type"] === "string" && tool["type"] !== "function") continue;
    const { name, description } = own;
    if (typeof name !== "string" || provider.toolName?.test(name) === false) faults.push(`the name ${String(name)}`);
    if (names.has(name)) faults.push(`two tools are called ${String(name)}`);
    names.add(name);
    if (String(description ?? "").length > (provider.description ?? Infinity)) faults.push("a long description");
    if (schema === undefined) continue;
    const isStrict = isStrictRequest || own["strict"] === true;
    const { strict, loose } = provider;
    const rules = isStrict && strict !== undefined ? strict : typeof loose === "function" ? loose(own) : loose;
    faults.push(...findSchemaFaults(schema, rules));
  }
  return faults;
}

function findAnthropicFaults(tools: readonly Json[]): readonly string[] {
  const faults: string[] = [];
  const own = tools.filter((tool) => tool["input_schema"] !== undefined);
  const strict = own.filter((tool) => tool["strict"] === true);
  const has = (tool: Json, field: string): boolean => ![undefined, null, false].includes(tool[field] as null);
  if (tools.filter((tool) => has(tool, "cache_control")).length > 4) faults.push("more than 4 cache marks");
  for (const tool of own) {
    const callers = (tool["allowed_callers"] ?? []) as readonly string[];
    const isCalledByCode = callers.some((caller) => caller.startsWith("code_execution"));
    if (has(tool, "cache_control") && has(tool, "defer_loading")) faults.push("a deferred tool with a cache mark");
    if (has(tool, "strict") && isCalledByCode) faults.push("a strict tool that code calls");
    if (isCalledByCode && !tools.some(({ type }) => String(type).startsWith("code_execution"))) {
      faults.push("callers need the code execution tool");
    }
  }
  const deferred = own.filter((tool) => tool["defer_loading"] === true);
  if (deferred.length > 10_000) faults.push("too many deferred tools");
  if (deferred.length > 0 && !tools.some(({ type }) => String(type).startsWith("tool_search_tool"))) {
    faults.push("deferred tools need a search tool");
  }
  if (strict.length > 20) faults.push("more than 20 strict tools");
  const totals = { optional: 0, unions: 0 };
  for (const tool of strict) {
    eachNode(tool["input_schema"], (node) => {
      const required = Array.isArray(node["required"]) ? node["required"] : [];
      for (const [name, inner] of Object.entries(toObject(node["properties"]))) {
        if (!required.includes(name)) totals.optional += 1;
        const { anyOf, type } = toObject(inner);
        if (anyOf !== undefined || Array.isArray(type)) totals.unions += 1;
      }
    });
  }
  if (totals.optional > 24) faults.push("more than 24 optional parameters");
  if (totals.unions > 16) faults.push("more than 16 parameters with unions");
  return faults;
}

/** Finds the places where a schema breaks the rules. */
function findSchemaFaults(root: unknown, rules: SchemaRules): readonly string[] {
  const faults = [...(rules.faults?.(root) ?? [])];
  const totals = { properties: 0, values: 0, characters: 0, depth: 0 };
  const count = (text: unknown): void => void (totals.characters += typeof text === "string" ? text.length : 1);
  eachNode(root, (node, at, depth) => {
    const report = (fault: string): void => void faults.push(`${at || "the root"}: ${fault}`);
    for (const word of wordsOf(node, root)) {
      const isRefusedHere = at === "" && rules.refusedAtRoot?.includes(word) === true;
      if (isRefusedHere || rules.refused?.includes(word) === true) report(word);
      if (!word.includes(":") && rules.known?.includes(word) === false) report(`unknown name ${word}`);
    }
    const { format, pattern, minItems, enum: values } = node;
    if (typeof format === "string" && rules.formats?.includes(format) === false) report(`format ${format}`);
    if (typeof pattern === "string" && rules.pattern?.test(pattern) === true) report(`pattern ${pattern}`);
    if (Number(minItems ?? 0) > (rules.mostMinItems ?? Infinity)) report(`minItems ${String(minItems)}`);
    const names = Object.keys(toObject(node["properties"]));
    for (const name of names) {
      if (rules.anyName?.test(name) === false || (at === "" && rules.rootName?.test(name) === false)) {
        report(`a property is called ${JSON.stringify(name)}`);
      }
      count(name);
    }
    for (const name of Object.keys(toObject(node["$defs"]))) count(name);
    if (node["const"] !== undefined) count(node["const"]);
    if (Array.isArray(values)) {
      for (const value of values) count(value);
      totals.values += values.length;
      const [most, length] = rules.largeEnum ?? [Infinity, Infinity];
      if (values.length > most && values.join("").length > length) report("an enum too long");
    }
    totals.properties += names.length;
    totals.depth = Math.max(totals.depth, depth + (names.length > 0 ? 1 : 0));
  });
  if (totals.properties > (rules.properties ?? Infinity)) faults.push("too many properties");
  if (totals.values > (rules.enumValues ?? Infinity)) faults.push("too many enum values");
  if (totals.characters > (rules.characters ?? Infinity)) faults.push("too many characters of names and values");
  if (totals.depth > (rules.depth ?? Infinity)) faults.push("nested too deep");
  return faults;
}

/** Lists the words of one node: its keywords, and words with a colon for special values. */
function wordsOf(node: Json, root: unknown): readonly string[] {
  const { type, properties, required, items, enum: values, $ref } = node;
  const types = [type].flat();
  const declared = toObject(properties);
  const isObjectNode = types.includes("object") || types.includes("OBJECT");
  const isArrayNode = types.includes("array") || types.includes("ARRAY");
  const listed = Array.isArray(required) ? required.map(String) : [];
  const others = Object.keys(node).filter((keyword) => keyword !== "description" && keyword !== "title");
  const special: { readonly [word: string]: boolean } = {
    "schema:boolean": node === BOOLEAN,
    "schema:empty": node !== BOOLEAN && Object.keys(node).length === 0,
    "type:missing":
      type === undefined && others.every((keyword) => !["anyOf", "$ref", "allOf", "oneOf"].includes(keyword)),
    "type:notObject": type !== "object" && type !== "OBJECT",
    "type:list": Array.isArray(type),
    "type:null": type === "null" || type === "NULL",
    "properties:missing": isObjectNode && properties === undefined,
    "properties:empty": properties !== undefined && Object.keys(declared).length === 0,
    "required:some": isObjectNode && Object.keys(declared).some((name) => !listed.includes(name)),
    "required:none": isObjectNode && listed.length === 0,
    "required:text": typeof required === "string" || typeof required === "boolean",
    "required:undeclared": listed.some((name) => !Object.hasOwn(declared, name)),
    "closed:not": isObjectNode && node["additionalProperties"] !== false,
    "items:missing": isArrayNode && items === undefined && node["prefixItems"] === undefined,
    "items:list": Array.isArray(items),
    "enum:objects": Array.isArray(values) && values.some((value) => typeof value === "object" && value !== null),
    "enum:notText": Array.isArray(values) && values.some((value) => typeof value !== "string"),
    "enum:emptyText": Array.isArray(values) && values.includes(""),
    "$ref:siblings": $ref !== undefined && Object.keys(node).length > 1 && node !== root,
    "allOf:$ref": JSON.stringify(node["allOf"] ?? null).includes('"$ref"'),
    "anyOf:siblings": node["anyOf"] !== undefined && Object.keys(node).length > 1,
    recursion: typeof $ref === "string" && leadsBack($ref, root),
  };
  return [...Object.keys(node), ...Object.keys(special).filter((word) => special[word] === true)];
}

/** Stands for `true` and `false`. */
const BOOLEAN: Json = {};

const MAPS = ["properties", "patternProperties", "$defs", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLE = ["items", "not", "if", "then", "else", "contains", "propertyNames", "contentSchema"];

function eachNode(schema: unknown, visit: (node: Json, at: string, depth: number) => void): void {
  const go = (node: unknown, at: string, depth: number): void => {
    if (!isObject(node)) return void (typeof node === "boolean" && visit(BOOLEAN, at, depth));
    visit(node, at, depth);
    for (const [keyword, part] of Object.entries(node)) {
      const below = `${at}/${keyword}`;
      if (MAPS.includes(keyword)) {
        const next = keyword === "properties" ? depth + 1 : depth;
        for (const [name, inner] of Object.entries(toObject(part))) go(inner, `${below}/${name}`, next);
      } else if (LISTS.includes(keyword) && Array.isArray(part)) {
        for (const [index, inner] of part.entries()) go(inner, `${below}/${index}`, depth);
      } else if (SINGLE.includes(keyword) || (keyword === "additionalProperties" && isObject(part))) {
        go(part, below, depth);
      }
    }
  };
  go(schema, "", 0);
}

/** True if a reference leads back to itself. */
function leadsBack(start: string, root: unknown): boolean {
  const seen = new Set<string>();
  const queue = [start];
  for (const reference of queue) {
    if (seen.has(reference)) continue;
    seen.add(reference);
    const target = reference
      .slice(1)
      .split("/")
      .slice(1)
      .reduce<unknown>(
        (node, name) => toObject(node)[decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")],
        root,
      );
    for (const [, next = ""] of JSON.stringify(target ?? null).matchAll(/"\$ref":"([^"\\]*)"/g)) {
      if (next === start) return true;
      queue.push(next);
    }
  }
  return false;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): Json {
  return isObject(value) ? value : {};
}
