import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { canonicalText, escapeToken, isObject, own, dropUndefined } from "@hasp/base/json";
import { createValidator } from "@hasp/schema/validate";
import { mapSubschemas, isAnnotation } from "@hasp/schema/vocabulary";
import type { TapedOutcome } from "./tape.js";
import type { ToolContent, ToolError, AnyTool } from "@hasp/runtime";
import { toContent, createTextContent } from "@hasp/runtime/internal";

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
  /** The labels that the handler stated for its result. */
  readonly untrusted?: boolean;
  readonly private?: boolean;
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
  const { content, isError, output = outcome.plainText, details, terminate, error, stated, wasConcurrent } = outcome;
  const short: TapeEntry = {
    tool: tool.name,
    input,
    outcome: isError ? "error" : "ok",
    ...dropUndefined({ output }),
    ...(details !== undefined && { details: details as JsonValue }),
    ...(terminate === true && { terminate }),
    ...dropUndefined({ error }),
    ...(stated?.untrusted !== undefined && { untrusted: stated.untrusted }),
    ...(stated?.private !== undefined && { private: stated.private }),
    ...(wasConcurrent === true && { wasConcurrent }),
    order,
  };
  const implied = toOutcome(short, tool);
  const isImplied =
    implied.plainText === outcome.plainText && canonicalText(implied.content) === canonicalText(content);
  return isImplied ? short : { ...short, content };
}

/** Returns the outcome that an entry describes, with the parts that it leaves out. */
export function toOutcome(entry: TapeEntry, tool: AnyTool): TapedOutcome {
  const { outcome, output, content: given, details, terminate, error, wasConcurrent } = entry;
  const isPlainText = given === undefined && typeof output === "string" && tool.output === undefined;
  const text = error?.message ?? (typeof output === "string" ? output : JSON.stringify(output));
  return {
    content: given ?? createTextContent(text ?? ""),
    isError: outcome === "error",
    ...(isPlainText ? { plainText: output } : output !== undefined && { output }),
    ...(given !== undefined && output !== undefined && { outputChars: JSON.stringify(output).length }),
    ...dropUndefined({ details }),
    ...(terminate === true && { terminate }),
    ...dropUndefined({ error }),
    ...((entry.untrusted ?? entry.private) !== undefined && {
      stated: { untrusted: entry.untrusted, private: entry.private },
    }),
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
    const [first, second] = [left, right].map((side) => own(side, key));
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
    if (isObject(value) && "tape" in value) {
      if (value["tape"] !== 1) {
        fail(
          line,
          `it says \`tape: ${JSON.stringify(value["tape"])}\`, and this version of hasp reads \`tape: 1\`. Record it again.`,
        );
      }
      const [error] = validateHeader(value).errors;
      if (error !== undefined) fail(line, asRead(error.message));
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

/** The values of a tape as a JSON Schema. `schema/tape.schema.json` of hasp is generated from it for editors. */
export const tapeSchema: {
  readonly [key: string]: JsonValue;
  readonly $defs: { readonly [name in "Header" | "Call"]: JsonObject };
} = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp tape",
  description: "One value of a tape: the input schemas of tools, or a recorded call. A tape is any sequence of them.",
  if: { type: "object", required: ["tape"] },
  then: { $ref: "#/$defs/Header" },
  else: { $ref: "#/$defs/Call" },
  $defs: {
    Header: {
      type: "object",
      required: ["tape", "tools"],
      additionalProperties: false,
      properties: {
        tape: { description: "The version of the format.", const: 1 },
        tools: {
          description: "The input schemas of the tools with which the calls were recorded, without annotations.",
          type: "object",
          additionalProperties: { type: ["object", "boolean"] },
        },
      },
    },
    Call: {
      type: "object",
      required: ["tool", "input", "outcome", "order"],
      additionalProperties: false,
      properties: {
        tool: { description: "The name of the tool.", type: "string" },
        input: { description: "The input that ran. `[secret]` stands for what no tape holds.", type: "object" },
        outcome: { enum: ["ok", "error"] },
        output: { description: "The structured output, or the text of a tool that declares none." },
        content: {
          description: "What the model reads, if it does not follow from the output or the error.",
          type: "array",
          items: { type: "object" },
        },
        details: { description: "For logs and screens; the model never sees it." },
        terminate: { description: "The call asks to end the agent's loop.", const: true },
        error: {
          type: "object",
          required: ["phase", "code", "message", "effect"],
          additionalProperties: false,
          properties: {
            phase: { type: "string" },
            code: { type: "string" },
            message: { type: "string" },
            effect: { enum: ["none", "landed", "unknown"] },
            indeterminate: { const: true },
          },
        },
        untrusted: { description: "The handler's own word on whether outsiders wrote the result.", type: "boolean" },
        private: { description: "The handler's own word on whether the result is private.", type: "boolean" },
        wasConcurrent: { description: "Its execution overlapped another's.", const: true },
        order: { description: "Its place in the order in which the calls settled.", type: "integer", minimum: 1 },
        at: { description: "The time of its end, if asked for.", type: "string", format: "date-time" },
      },
      if: { properties: { outcome: { const: "error" } } },
      then: { required: ["error"] },
      else: { properties: { error: false } },
    },
  },
};

const validateCall = createValidator(tapeSchema.$defs.Call);
const validateHeader = createValidator(tapeSchema.$defs.Header);

/** Rewords a message of the validator, which addresses the sender of a value. */
function asRead(message: string): string {
  return message.replace("; you sent ", "; the tape says ");
}

function entryFault(entry: JsonValue): string | undefined {
  if (!isObject(entry)) return "what stands there is no call.";
  const [error] = validateCall(entry).errors;
  if (error !== undefined) return asRead(error.message);
  try {
    if (entry["content"] !== undefined) toContent(entry["content"]);
  } catch (fault) {
    return (fault as Error).message;
  }
  return undefined;
}

/** Splits a text into the JSON values in it, with the line of each. */
function jsonValues(
  text: string,
  fail: (line: number, what: string) => never,
): readonly { readonly value: JsonValue; readonly line: number }[] {
  const between = isOneList(text) ? /[\s,[\]]*/y : /[\s\uFEFF]*/y;
  const found: { value: JsonValue; line: number }[] = [];
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
      found.push({ value: JSON.parse(part) as JsonValue, line });
      line += part.split("\n").length - 1;
    } catch {
      // The platform's message quotes a part of the text, which may be a secret in another file.
      fail(line, "what stands there is not JSON.");
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

/** Finds the end of the object that begins here, or else of the line; `undefined` if the object has no end. */
function endOfObject(text: string, start: number): number | undefined {
  if (text[start] !== "{") return (text.indexOf("\n", start) + 1 || text.length + 1) - 1;
  // One pattern for whole texts would overflow the stack at some 10 MB.
  const mark = /[{}[\]"\\]/gu;
  mark.lastIndex = start;
  let depth = 0;
  let isInText = false;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found;
    if (character === "\\") mark.lastIndex += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText) depth += character === "{" || character === "[" ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return undefined;
}
