import { isStructured } from "@hasp/base/json";
// Runs in its own process: the imported module may do anything, and its parent limits its time.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { printThrown } from "@hasp/base/diagnostics";
import { answerQuestions, importModule } from "@hasp/project/modules";
import { findExportedTools, type ExportedSchema, type ExportsMessage, type ToJsonSchema } from "./schema-exports.js";

// Exports may hold values that are not data.
answerQuestions(async (url: string) => JSON.parse(JSON.stringify(await readExports(url))) as ExportsMessage);

/** The user's own version of Zod's conversion. */
type ZodToJsonSchema = (
  schema: object,
  options: {
    readonly io: "input" | "output";
    readonly unrepresentable?: "any";
    readonly override?: (context: ZodContext) => void;
  },
) => unknown;

interface ZodContext {
  readonly jsonSchema: Record<string, unknown>;
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly path: readonly PropertyKey[];
}

interface ZodDefinition {
  readonly type?: string;
  readonly checks?: readonly ZodCheck[];
  readonly coerce?: boolean;
  readonly format?: string;
  readonly pattern?: unknown;
  readonly version?: unknown;
  readonly local?: boolean;
  readonly offset?: boolean;
  readonly precision?: number | null;
}

interface ZodCheck {
  readonly _zod: { readonly def: { readonly check?: string } };
}

async function readExports(url: string): Promise<ExportsMessage> {
  let exports: unknown;
  try {
    exports = await importModule(url);
  } catch (error) {
    return { problem: `it cannot be imported (${messageOf(error)})` };
  }
  if (!isStructured(exports)) return { problem: "it exports nothing" };
  return { tools: findExportedTools(exports as Readonly<Record<string, unknown>>, converter(await zodBeside(url))) };
}

function converter(zod: ZodToJsonSchema | undefined): ToJsonSchema {
  return (schema, role) => {
    try {
      if ("_zod" in schema && zod !== undefined) return fromZod(zod, schema, role);
      return "_zod" in schema || "~standard" in schema ? fromStandard(schema, role) : fromJsonSchema(schema);
    } catch (error) {
      return { problem: messageOf(error) };
    }
  };
}

function fromZod(toJsonSchema: ZodToJsonSchema, schema: object, io: "input" | "output"): ExportedSchema {
  const refinements: string[] = [];
  const changes: string[] = [];
  const problem = problemOf(() => toJsonSchema(schema, { io }));
  const converted = toJsonSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema, zodSchema, path }) {
      const { def } = zodSchema._zod;
      const place = path.map((word) => `/${String(word)}`).join("");
      if (hasCheck(def, "custom")) refinements.push(place);
      const change = changeOf(def);
      if (change !== undefined) changes.push(`${place === "" ? "the whole" : place}: ${change}`);
      if (def.type === "catch") delete jsonSchema["default"];
      shortenPattern(jsonSchema, def);
      if (problem === undefined || Object.keys(jsonSchema).length > 0) return;
      // Zod calls this once per schema, with the path of its first place, and copies the result to every other place.
      if (problemOf(() => toJsonSchema(zodSchema, { io })) !== undefined) jsonSchema[UNREPRESENTABLE] = true;
    },
  });
  const leftOut: string[] = [];
  if (problem !== undefined && (io === "output" || isBeyondSchema(converted, "", leftOut))) return { problem };
  const isKept = (place: string): boolean => !leftOut.some((gone) => `${place}/`.startsWith(`${gone}/`));
  return {
    schema: converted,
    refinements: [...new Set(refinements)].filter(isKept),
    ...(changes.length === 0 || io === "output" ? {} : { changes: [...new Set(changes)] }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

function hasCheck({ checks = [] }: ZodDefinition, name: string): boolean {
  return checks.some(({ _zod: { def } }) => def.check === name);
}

/** Names the change that a schema makes to parsed values; `undefined` if it makes none. */
function changeOf(def: ZodDefinition): string | undefined {
  if (def.type === "pipe" || def.type === "transform") return "transform";
  if (def.type === "catch") return "catch";
  if (def.coerce === true) return "coerce";
  return hasCheck(def, "overwrite") ? "trim or another change of its text" : undefined;
}

/** Formats that imply Zod's pattern for them. */
const IMPLIED: ReadonlySet<unknown> = new Set(["date", "datetime", "email", "uuid", "ipv4", "ipv6"]);

/** Drops the pattern that a format implies. Zod's times end in `Z` unless they allow offsets. */
function shortenPattern(jsonSchema: Record<string, unknown>, def: ZodDefinition): void {
  const { format, pattern, version, local, offset, precision } = def;
  const isOwn =
    pattern instanceof RegExp && jsonSchema["pattern"] === pattern.source && jsonSchema["format"] !== undefined;
  if (!isOwn || !IMPLIED.has(format)) return;
  if (version !== undefined || local === true || typeof precision === "number") return;
  if (format === "datetime" && offset !== true) jsonSchema["pattern"] = "Z$";
  else delete jsonSchema["pattern"];
}

const UNREPRESENTABLE = "x-hasp-unrepresentable";

/**
 * Deletes inexpressible optional properties, and adds their pointers to `leftOut`. Returns true if anything else cannot
 * be expressed.
 */
function isBeyondSchema(schema: unknown, pointer: string, leftOut: string[]): boolean {
  if (Array.isArray(schema)) {
    return schema.some((item: unknown, index) => isBeyondSchema(item, `${pointer}/${index}`, leftOut));
  }
  if (!isRecord(schema)) return false;
  if (schema[UNREPRESENTABLE] === true) return true;
  const { required } = schema;
  return Object.entries(schema).some(([keyword, operand]) => {
    if (!MAPS.has(keyword) || !isRecord(operand)) return isBeyondSchema(operand, `${pointer}/${keyword}`, leftOut);
    return Object.entries(operand).some(([name, inner]) => {
      const place = `${pointer}/${keyword}/${name}`;
      if (!isBeyondSchema(inner, place, leftOut)) return false;
      if (keyword !== "properties" || (Array.isArray(required) && required.includes(name))) return true;
      delete operand[name];
      leftOut.push(place);
      return false;
    });
  });
}

/** Keywords whose keys are names of schemas, not keywords. */
const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return isStructured(value);
}

function problemOf(convert: () => unknown): string | undefined {
  try {
    convert();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Converts Standard JSON Schema (standardschema.dev): `~standard.jsonSchema.input({ target })`. */
function fromStandard(schema: object, role: "input" | "output"): ExportedSchema {
  const standard = (
    schema as { readonly "~standard"?: { readonly jsonSchema?: Partial<Record<string, (options: object) => unknown>> } }
  )["~standard"];
  const convert = standard?.jsonSchema?.[role];
  if (typeof convert !== "function") {
    return {
      problem:
        "its library cannot write JSON Schema (Zod from version 4 can, and any that follows Standard JSON Schema)",
    };
  }
  return { schema: convert({ target: "draft-2020-12" }), refinements: [] };
}

/** Reads JSON Schema, bare or inside the AI SDK's `jsonSchema()`, which may check more. */
function fromJsonSchema(written: { readonly jsonSchema?: unknown; readonly validate?: unknown }): ExportedSchema {
  const schema: unknown = "jsonSchema" in written ? written.jsonSchema : written;
  if (schema instanceof Promise) return { problem: "it is a promise" };
  if (!isStructured(schema)) return { problem: "its `jsonSchema` is not an object" };
  return { schema, refinements: typeof written.validate === "function" ? [""] : [] };
}

async function zodBeside(module: string): Promise<ZodToJsonSchema | undefined> {
  try {
    const path = createRequire(module).resolve("zod");
    const zod = (await import(pathToFileURL(path).href)) as { readonly toJSONSchema?: unknown };
    return typeof zod.toJSONSchema === "function" ? (zod.toJSONSchema as ZodToJsonSchema) : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return printThrown(error).slice(0, 1000);
}
