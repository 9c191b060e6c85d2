import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "@hasp/base/json";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import type { ToolCall, ToolResult } from "../tool/definition.js";

interface ReadDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly strict: boolean;
}

/** Reads an entry of any provider's list. Throws a `TypeError` if it has no name. */
export function readDefinition(entry: JsonObject): ReadDefinition {
  const body = objectAt(entry, "function") ?? objectAt(entry, "custom") ?? objectAt(entry, "toolSpec") ?? entry;
  const { name, description, strict } = body;
  if (typeof name !== "string") throw new TypeError("An entry of this list has no name.");
  return {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema: schemaOf(entry, body),
    strict: strict === true,
  };
}

function schemaOf(entry: JsonObject, body: JsonObject): JsonObject {
  const bedrock = objectAt(entry, "toolSpec");
  if (bedrock !== undefined) return objectAt(objectAt(bedrock, "inputSchema") ?? {}, "json") ?? NO_PROPERTIES;
  return (
    objectAt(body, "inputSchema") ??
    objectAt(body, "input_schema") ??
    objectAt(body, "parameters") ??
    objectAt(body, "parametersJsonSchema") ??
    (entry["type"] === "custom" ? textSchemaOf(body) : NO_PROPERTIES)
  );
}

/** Describes the input of a tool that takes bare text as an object with the text, for frameworks that know no other. */
function textSchemaOf(body: JsonObject): JsonObject {
  const format = objectAt(body, "format") ?? {};
  const { syntax, definition } = objectAt(format, "grammar") ?? format;
  const grammar = definition !== undefined && { description: `Grammar (${syntax}): ${definition}` };
  const properties = { [TEXT_MEMBER]: { ...grammar, type: "string" } };
  return { type: "object", properties, required: [TEXT_MEMBER], additionalProperties: false };
}

const NO_PROPERTIES: JsonObject = Object.freeze({ type: "object", properties: Object.freeze({}) });

function objectAt(parent: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** Marks the last call as truncated if the response was cut off: the cut went through it or something it depends on. */
export function withTruncation(calls: readonly ToolCall[], wasCutOff: boolean): readonly ToolCall[] {
  if (!wasCutOff) return calls;
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call));
}

/** The calls of a response, and its other blocks, such as calls of a provider's own tools, which the host handles. */
export interface ReadResponse {
  readonly calls: readonly ToolCall[];
  /** `id` is present if the block asks for an answer. Texts and thoughts are not among them. */
  readonly others: readonly { readonly block: unknown; readonly id?: string }[];
}

/** The response that results answer, and the host's own answers to its other blocks. */
export interface AnsweredTurn<Answer> {
  readonly turn: ReadResponse;
  readonly answers?: readonly Answer[] | undefined;
}

/** Returns the host's own answers of a turn. Throws a `TypeError` if a block that asks for an answer has none. */
export function completeTurn<Answer>(
  results: readonly ToolResult[],
  answered: AnsweredTurn<Answer> | undefined,
  readAnsweredId: (answer: Answer) => unknown,
): readonly Answer[] {
  if (answered === undefined) return [];
  const { turn, answers = [] } = answered;
  const ids = new Set<unknown>([...results.map(({ callId }) => callId), ...answers.map(readAnsweredId)]);
  const open = [...turn.calls, ...turn.others].flatMap(({ id }) => (id === undefined || ids.has(id) ? [] : [id]));
  if (open.length === 0) return answers;
  throw new TypeError(
    `The turn is incomplete, and a provider would refuse it: nothing answers ${open.map((id) => JSON.stringify(id)).join(", ")}. Pass the results of all calls, and your own answers to its other blocks as \`answers\`.`,
  );
}

/** The prefix of ids for calls that came without; results leave them out again. */
const OWN_ID = "hasp-call-";

/** Reads the id of a call, or makes one up. */
export function readId(value: unknown, index: number): string {
  const id = readWord(value);
  return id === "" ? `${OWN_ID}${index}` : id;
}

/** Returns the id of a call as its provider knows it: `""` if it came without. */
export function writeId(id: string): string {
  return id.startsWith(OWN_ID) ? "" : id;
}

/** Reads who made a call; nothing for an ordinary one. */
export function readMaker(block: {
  readonly type?: unknown;
  readonly caller?: unknown;
  readonly namespace?: unknown;
}): Pick<ToolCall, "origin"> {
  const { type, caller, namespace } = block;
  const origin = {
    ...(type === "custom_tool_call" && { type: "custom" as const }),
    ...(caller !== undefined && caller !== null && { caller: caller as JsonValue }),
    ...(typeof namespace === "string" && { namespace }),
  };
  return Object.keys(origin).length === 0 ? {} : { origin };
}

/** Reads an id or a name from a response; `""` if there is none. A call without a name is answered as malformed. */
export function readWord(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
