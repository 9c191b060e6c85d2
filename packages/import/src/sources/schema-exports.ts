import { groupBy, isStructured } from "@hasp/base/json";
import { printThrown } from "@hasp/base/diagnostics";

interface ExportedTool {
  /** `export` or `export.member`. */
  readonly export: string;
  /** The module's name for the tool, or one derived from its export. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly input: ExportedSchema;
  readonly output?: ExportedSchema;
  /** Functions that a spec cannot hold: `execute`, `needsApproval`, `toModelOutput`. */
  readonly functions?: readonly string[];
  /** The member that holds the input's schema, if the export can be executed. */
  readonly inputMember?: string;
  /** True if that schema is JSON Schema, bare or inside the AI SDK's `jsonSchema()`. */
  readonly isJsonSchema?: boolean;
  /** Further exports that are the same tool. */
  readonly alsoExported?: readonly string[];
}

interface FoundTool {
  readonly tool: ExportedTool;
  /** The object that is the tool, or the schema that stands for one. */
  readonly object: object;
  /** The schema of the input, if the tool is not that schema. */
  readonly schema?: object;
  /** True for a member of an object: its key is the name that models read. */
  readonly isKeyed: boolean;
}

const FUNCTIONS = ["execute", "needsApproval", "toModelOutput"] as const;

export type ExportedSchema =
  | {
      readonly schema: unknown;
      /** Places of function checks, which JSON Schema cannot express. */
      readonly refinements: readonly string[];
      /** Places of omitted optional properties, such as dates, which JSON Schema cannot express. */
      readonly leftOut?: readonly string[];
      /** Places whose values are changed by parsing, and how. */
      readonly changes?: readonly string[];
    }
  | { readonly problem: string };

export type ExportsMessage = { readonly tools: readonly ExportedTool[] } | { readonly problem: string };

/** Suffixes that only say that an export is a schema. */
const SUFFIX = /(?:Input|Args|Arguments|Params|Parameters)?(?:Schema)?$/u;
const OUTPUT = /Output(?:Schema)?$/u;

export type ToJsonSchema = (schema: object, role: "input" | "output") => ExportedSchema;

/** The members in which tools of agent frameworks have the schema of their input. */
const INPUTS = ["inputSchema", "input", "parameters", "schema"] as const;

/**
 * Finds tools among a module's exports: schemas (Zod's or Standard JSON Schema), objects with a schema under
 * `inputSchema`, `input`, `parameters` or `schema` as in agent frameworks, and objects or arrays of those. One object
 * under several names is one tool, named after its key in an object if it has one. What looks like a tool but has no
 * schema that can be read is one with a problem.
 */
export function findExportedTools(
  exports: Readonly<Record<string, unknown>>,
  toJsonSchema: ToJsonSchema,
): readonly ExportedTool[] {
  const named = Object.entries(exports).filter(([name]) => name !== "default" || !hasNamedExports(exports));
  const outputs = new Map(
    named.flatMap(([name, value]): [string, object][] =>
      OUTPUT.test(name) && isSchema(value) ? [[name.replace(OUTPUT, ""), value]] : [],
    ),
  );
  const inputs = new Set(named.map(([name]) => (OUTPUT.test(name) ? "" : baseName(name))));
  const found = named.flatMap(([name, value]): readonly FoundTool[] => {
    try {
      return toolsIn(name, value);
    } catch (error) {
      // An export that throws when examined might still be a tool.
      const problem = `it throws when it is read (${printThrown(error)})`;
      return [{ tool: { export: name, name, input: { problem } }, object: {}, isKeyed: false }];
    }
  });
  return mergeSameTools(found);

  function toolsIn(name: string, value: unknown): readonly FoundTool[] {
    if (isSchema(value)) {
      if (OUTPUT.test(name) && inputs.has(name.replace(OUTPUT, ""))) return [];
      const base = baseName(name);
      const output = outputs.get(base);
      return [{ tool: describe(name, base, value, output, value, toJsonSchema), object: value, isKeyed: false }];
    }
    const own = toolOf(name, name, value, toJsonSchema);
    if (own !== undefined) return [{ ...own, isKeyed: false }];
    if (!isStructured(value)) return [];
    const isList = Array.isArray(value);
    return Object.entries(value).flatMap(([member, inner]) => {
      const inside = toolOf(`${name}.${member}`, isList ? name : member, inner, toJsonSchema);
      return inside === undefined ? [] : [{ ...inside, isKeyed: !isList }];
    });
  }
}

/** Lists each tool once: an object under several names, and a schema exported beside the tool of its name. */
function mergeSameTools(found: readonly FoundTool[]): readonly ExportedTool[] {
  const groups = groupBy(found, (each) => {
    const owner = found.find(({ schema, tool }) => schema === each.object && tool.name === each.tool.name);
    return (owner ?? each).object;
  });
  return [...groups].flatMap(([object, same]) => {
    const chosen = same.find(({ isKeyed }) => isKeyed) ?? same.find((each) => each.object === object);
    if (chosen === undefined) return [];
    const alsoExported = same.flatMap((each) => (each === chosen ? [] : [each.tool.export]));
    return [alsoExported.length === 0 ? chosen.tool : { ...chosen.tool, alsoExported }];
  });
}

function hasNamedExports(exports: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(exports).some((name) => name !== "default");
}

function baseName(name: string): string {
  const base = name.replace(SUFFIX, "");
  return base === "" ? name : base;
}

function isSchema(value: unknown): value is object {
  try {
    return (isStructured(value) || typeof value === "function") && ("~standard" in value || "_zod" in value);
  } catch {
    return false;
  }
}

/** True for a schema, and for JSON Schema of objects, bare or inside the AI SDK's `jsonSchema()`. */
function isReadable(value: unknown): value is object {
  return (
    isSchema(value) || (isStructured(value) && ("jsonSchema" in value || ("type" in value && value.type === "object")))
  );
}

function toolOf(
  path: string,
  name: string,
  value: unknown,
  toJsonSchema: ToJsonSchema,
): Omit<FoundTool, "isKeyed"> | undefined {
  if (!isStructured(value) || isSchema(value)) return undefined;
  const parts = value as Readonly<Record<string, unknown>>;
  const inputMember = INPUTS.find((key) => isReadable(parts[key]));
  const input = inputMember === undefined ? undefined : parts[inputMember];
  if (inputMember === undefined || !isReadable(input)) {
    const mayBeSchema = (each: unknown): boolean => isStructured(each) || typeof each === "function";
    const isTool = typeof parts["description"] === "string" && INPUTS.some((key) => mayBeSchema(parts[key]));
    const problem = 'it is neither a Zod schema, nor Standard JSON Schema, nor JSON Schema with the type "object"';
    return isTool ? { tool: { export: path, name, input: { problem } }, object: value } : undefined;
  }
  const output = ["outputSchema", "output"].map((key) => parts[key]).find(isReadable);
  const functions = FUNCTIONS.filter((key) => typeof parts[key] === "function");
  const ownName = typeof parts["name"] === "string" && parts["name"] !== "" ? parts["name"] : name;
  const tool = {
    ...describe(path, ownName, input, output, parts, toJsonSchema),
    ...(functions.length === 0 ? {} : { functions, inputMember, isJsonSchema: !isSchema(input) }),
  };
  return { tool, object: value, schema: input };
}

function describe(
  path: string,
  name: string,
  input: object,
  output: object | undefined,
  about: object,
  toJsonSchema: ToJsonSchema,
): ExportedTool {
  const { title, description } = about as { readonly title?: unknown; readonly description?: unknown };
  return {
    export: path,
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    input: toJsonSchema(input, "input"),
    ...(output === undefined ? {} : { output: toJsonSchema(output, "output") }),
  };
}
