import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { canonicalText, mapSubschemas } from "@hasp/schema/internal/runtime";
import { isAnnotation } from "@hasp/schema/vocabulary";
import type { TapedOutcome } from "../dispatch/state/dispatcher-types.js";
import { escapeToken, isObject } from "../json/members.js";
import { toContent } from "../results/content.js";
import { textContent } from "../results/text.js";
import type { ToolContent, ToolError } from "../tool/definition.js";
import type { AnyTool } from "../tool/tool.js";

/** Stands for whatever a tape must not hold. */
export const SECRET = "[secret]";

/** One recorded call, as a tape has it. */
export interface TapeEntry {
  readonly tool: string;
  readonly input: JsonValue;
  readonly outcome: "ok" | "error";
  readonly output?: JsonValue;
  /** Left out if it follows from the output or the error. */
  readonly content?: readonly ToolContent[];
  readonly details?: JsonValue;
  readonly terminate?: true;
  readonly error?: ToolError;
  readonly wasConcurrent?: true;
  /** Its place among the calls in the order in which they settled. */
  readonly order: number;
  /** The time of its end, if asked for. */
  readonly at?: string;
}

export type PlacedEntry = TapeEntry & { readonly line: number };

/** The contents of a tape; entries are in call order. */
export interface TapeContents {
  readonly tools: ReadonlyMap<string, JsonValue>;
  readonly entries: readonly PlacedEntry[];
}

export function toEntry(tool: AnyTool, input: JsonValue, outcome: TapedOutcome, order: number): TapeEntry {
  const { content, isError, output = outcome.plainText, details, terminate, error, wasConcurrent } = outcome;
  const short: TapeEntry = {
    tool: tool.name,
    input,
    outcome: isError ? "error" : "ok",
    ...(output !== undefined && { output }),
    ...(details !== undefined && { details: details as JsonValue }),
    ...(terminate === true && { terminate }),
    ...(error !== undefined && { error }),
    ...(wasConcurrent === true && { wasConcurrent }),
    order,
  };
  const implied = toOutcome(short, tool);
  const isImplied =
    implied.plainText === outcome.plainText && canonicalText(implied.content) === canonicalText(content);
  return isImplied ? short : { ...short, content };
}

/** Returns the outcome that an entry describes, with whatever it leaves out. */
export function toOutcome(entry: TapeEntry, tool: AnyTool): TapedOutcome {
  const { outcome, output, content: given, details, terminate, error, wasConcurrent } = entry;
  const isPlainText = given === undefined && typeof output === "string" && tool.output === undefined;
  const text = error?.message ?? (typeof output === "string" ? output : JSON.stringify(output));
  return {
    content: given ?? textContent(text ?? ""),
    isError: outcome === "error",
    ...(isPlainText ? { plainText: output } : output !== undefined && { output }),
    ...(given !== undefined && output !== undefined && { outputChars: JSON.stringify(output).length }),
    ...(details !== undefined && { details }),
    ...(terminate === true && { terminate }),
    ...(error !== undefined && { error }),
    wasConcurrent: wasConcurrent === true,
  };
}

/** Returns the part of a schema on which the verdict about an input depends. */
export function withoutAnnotations(schema: JsonSchema): JsonValue {
  if (typeof schema !== "object") return schema;
  const kept = Object.entries(schema)
    .filter(([keyword]) => !isAnnotation(keyword))
    .map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, withoutAnnotations)]);
  return Object.fromEntries(kept) as JsonObject;
}

/** Finds the first place where two values differ. */
export function firstDifference(
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  at = "",
): { readonly at: string; readonly before: JsonValue | undefined; readonly now: JsonValue | undefined } | undefined {
  if (canonicalText(before) === canonicalText(now)) return undefined;
  if (Array.isArray(before) ? !Array.isArray(now) : !isObject(before) || !isObject(now)) return { at, before, now };
  const [left, right] = [before as JsonObject, now as JsonObject];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [first, second] = [left, right].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    const found = firstDifference(first, second, `${at}/${escapeToken(key)}`);
    if ((first === undefined) !== (second === undefined) || found !== undefined) {
      return found ?? { at: `${at}/${escapeToken(key)}`, before: first, now: second };
    }
  }
  return { at, before, now };
}

/** Reads a tape in any layout: one value a line, pretty-printed, or one list. Throws if it is damaged. */
export function readTape(text: string, file: string): TapeContents {
  const fail = (line: number, what: string): never => {
    throw Object.assign(new Error(`${file}:${line}: The tape is damaged: ${what}`), { code: "damaged-tape" });
  };
  const tools = new Map<string, JsonValue>();
  const entries: PlacedEntry[] = [];
  for (const { value, line } of jsonValues(text, fail)) {
    if ("tape" in value) {
      if (value["tape"] !== 1) {
        fail(
          line,
          `it says \`tape: ${JSON.stringify(value["tape"])}\`, and this version of hasp reads \`tape: 1\`. Record it again.`,
        );
      }
      if (!isObject(value["tools"])) fail(line, "`tools` must hold the input schemas of its tools. Record it again.");
      for (const [name, schema] of Object.entries(value["tools"] as JsonObject)) tools.set(name, schema);
      continue;
    }
    const fault = entryFault(value);
    if (fault !== undefined) fail(line, fault);
    entries.push({ ...(value as unknown as TapeEntry), line });
  }
  if (tools.size === 0 && !/"tape"/.test(text)) fail(1, "no line says `tape: 1`. Record it again.");
  for (const { tool, line } of entries) {
    if (!tools.has(tool)) fail(line, `no line with \`tape: 1\` holds the input schema of ${tool}. Record it again.`);
  }
  return { tools, entries };
}

type Kind = "string" | "number" | "object" | "boolean" | "any" | "list";

const ENTRY_KINDS: { readonly [key in keyof Required<TapeEntry>]: Kind } = {
  tool: "string",
  input: "object",
  outcome: "string",
  output: "any",
  content: "list",
  details: "any",
  terminate: "boolean",
  error: "object",
  wasConcurrent: "boolean",
  order: "number",
  at: "string",
};

function entryFault(entry: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(entry)) {
    if (!Object.hasOwn(ENTRY_KINDS, key)) {
      return `it does not know \`${key}\`; known here: ${Object.keys(ENTRY_KINDS).join(", ")}.`;
    }
    const kind = ENTRY_KINDS[key as keyof TapeEntry];
    const found = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
    if (kind !== "any" && found !== kind) return `\`${key}\` must be a ${kind}, and is a ${found}.`;
  }
  const { tool, input, outcome, content, error, order } = entry as Partial<Record<string, JsonValue>>;
  const missing = Object.entries({ tool, input, outcome, order }).find(([, value]) => value === undefined);
  if (missing !== undefined) return `\`${missing[0]}\` is missing.`;
  if (outcome !== "ok" && outcome !== "error") return '`outcome` must be "ok" or "error".';
  if ((outcome === "error") !== (error !== undefined)) {
    return '`error` must be there if `outcome` is "error", and only then.';
  }
  if (error !== undefined && !isToolError(error)) {
    return '`error` must have the strings `phase`, `code` and `message`, and `effect`: "none", "landed" or "unknown".';
  }
  try {
    if (content !== undefined) toContent(content);
  } catch (fault) {
    return (fault as Error).message;
  }
  return undefined;
}

function isToolError(error: JsonValue): boolean {
  const { phase, code, message, effect } = error as JsonObject;
  const areTexts = [phase, code, message].every((part) => typeof part === "string");
  return areTexts && ["none", "landed", "unknown"].includes(effect as string);
}

/** Splits a text into the JSON objects in it, with the line of each. */
function jsonValues(
  text: string,
  fail: (line: number, what: string) => never,
): readonly { readonly value: JsonObject; readonly line: number }[] {
  const between = isOneList(text) ? /[\s,[\]]*/y : /[\s\uFEFF]*/y;
  const found: { value: JsonObject; line: number }[] = [];
  let line = 1;
  for (let start = 0; start < text.length;) {
    between.lastIndex = start;
    const space = between.exec(text)?.[0] ?? "";
    line += space.split("\n").length - 1;
    start += space.length;
    if (start === text.length) break;
    const end = endOfObject(text, start);
    if (end === undefined) {
      fail(line, "it ends within a call: its recording was killed, or its disk was full. Record it again.");
    }
    try {
      const part = text.slice(start, end);
      found.push({ value: JSON.parse(part) as JsonObject, line });
      line += part.split("\n").length - 1;
    } catch (error) {
      fail(line, `${(error as Error).message}.`);
    }
    start = end ?? text.length;
  }
  return found;
}

function isOneList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Finds the end of the object that begins here; of anything else, the end of its line. `undefined`: it has none. */
function endOfObject(text: string, start: number): number | undefined {
  if (text[start] !== "{") return (text.indexOf("\n", start) + 1 || text.length + 1) - 1;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]|"/gsu;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') return undefined;
    if (found[0] === "{" || found[0] === "[") depth += 1;
    if (found[0] === "}" || found[0] === "]") depth -= 1;
    if (depth === 0) return found.index + 1;
  }
  return undefined;
}
