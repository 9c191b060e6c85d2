import { findNearestName, inexactInteger } from "@hasp/schema/internal/keywords";
import { appendToPointer, cloneJson, copyJson, deepFreeze, isObject, own, refuseRounded } from "@hasp/base/json";
import type { DecodeFault } from "@hasp/schema/codec";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { quotingRefusal, Refusal, refusal, type CallError } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerBoolean, answerNow, readProperty } from "../../tool/callback.js";
import type { AnyTool } from "../../tool/definition.js";
import { readOrigin } from "../state/call-origin.js";
import { hasDialect, isAvailable, isEnabled } from "../registry/assemble.js";
import { createEventSubject, replaceInput, reportProblem, type CallState } from "../state/call-state.js";
import type { Engine, ToolEntry, ToolSnapshot } from "../state/engine.js";
import { explainFaults } from "./quoted-secrets.js";
import { createNodeFinder, declaresSecrets, keepDeclared } from "../../tool/secrets.js";

/** The most parts whose places an event lists. */
const MOST_COERCED = 100;

/** Decodes, prepares, coerces, validates and classifies a call before its batch runs. Throws a `Refusal`. */
export function parseCall(engine: Engine, tools: ToolSnapshot, call: CallState): ToolEntry {
  const entry = lookUp(engine, tools, call);
  call.entry = entry;
  if (call.load !== undefined && "failure" in call.load) {
    throw refusal("prepare/prepare-failed", {
      tool: call.toolName,
      reason: `its handler could not be loaded: ${call.load.failure}`,
    });
  }
  // Any mark but `false` says that the call was cut off.
  if (call.received.truncated !== undefined && (call.received.truncated as unknown) !== false) {
    throw refusal("decode/truncated", {});
  }
  const earlier = call.part?.earlier;
  setInput(engine, call, entry, earlier === undefined ? inputOf(engine, call, entry) : cloneJson(earlier.input));
  if (earlier !== undefined) {
    earlier.assertSame();
    call.notes = earlier.notes;
  }
  return entry;
}

/** Sets a call's input, coerced, validated and frozen, and classifies the call by it. */
function setInput(engine: Engine, call: CallState, entry: ToolEntry, candidate: JsonValue): void {
  const { valid, errors, value } = entry.tool.validateInput(candidate);
  if (!valid || !isObject(value)) {
    const faults = explainFaults(errors, value as JsonValue, entry.tool);
    throw refusal("schema/invalid-input", { tool: call.toolName, faults });
  }
  takeInput(engine, call, entry, value, candidate);
}

/** Sets a call's valid input, frozen, and classifies the call by it. */
export function takeInput(
  engine: Engine,
  call: CallState,
  { tool }: ToolEntry,
  value: JsonObject,
  given: JsonValue,
): void {
  replaceInput(call, deepFreeze(value), tool);
  if (engine.emit === undefined && engine.coerces) return;
  const subject = createEventSubject(call);
  const coerced = listCoerced(given, value, "");
  const nodesOf = createNodeFinder(tool.input);
  // A name that the schema does not declare may be a secret.
  const shown = coerced.slice(0, MOST_COERCED).map((place) => keepDeclared(place, given, tool.input, tool, nodesOf));
  if (!engine.coerces && coerced.length > 0) {
    const faults = shown.map((place) => `\`${place}\` must have its declared type.`);
    throw refusal("schema/invalid-input", { tool: call.toolName, faults });
  }
  engine.emit?.({ type: "classified", ...subject, classification: call.classification });
  engine.emit?.({
    type: "validated",
    ...subject,
    inputDigest: engine.permissions.digests.digest(call),
    ...(coerced.length > 0 && { coerced: [...new Set(shown)], coercedCount: coerced.length }),
  });
}

/** Lists the places of a given value that validation has changed or left out, but none that a default fills. */
function listCoerced(given: JsonValue, value: JsonValue | undefined, at: string): readonly string[] {
  if (given === value) return [];
  const isSameKind = isObject(given) ? isObject(value) : Array.isArray(given) && Array.isArray(value);
  if (!isSameKind) return [at];
  return Object.entries(given as JsonObject).flatMap(([name, part]) =>
    listCoerced(part, own(value as JsonObject, name), appendToPointer(at, name)),
  );
}

export function findTool(engine: Engine, tools: ToolSnapshot, call: CallState): ToolEntry | undefined {
  // A call without a name is malformed and may be any value.
  if (call.calledAs === "") return undefined;
  const entry = findCalled(engine, tools, call) ?? (engine.isLenient ? findMeant(engine, tools, call) : undefined);
  const isCallable = (each: ToolEntry): boolean =>
    unavailability(each, call) === undefined && engine.permissions.denialOf(each) === undefined;
  return entry !== undefined && isCallable(entry) ? entry : undefined;
}

/** True if nobody in this process executes the calls of a tool. */
export function isAwaited({ external }: Engine, { tool }: ToolEntry): boolean {
  return tool.external === true && external === undefined;
}

/** Removes what models write around a name in their own syntax: `functions.x`, `default_api.x`, `x<|channel|>commentary`. */
function removeModelSyntax(name: string): string {
  return name.replace(/<\|.*$/su, "").replace(/^(?:functions|default_api)[.:]/u, "");
}

/** Finds the tool of this exact name. */
function findCalled({ dialect }: Engine, tools: ToolSnapshot, call: CallState): ToolEntry | undefined {
  return tools.find(call.calledAs, call.received.dialect ?? dialect);
}

/** Finds the tool that a name in a model's own syntax may mean. */
function findMeant({ dialect }: Engine, tools: ToolSnapshot, call: CallState): ToolEntry | undefined {
  return tools.find(removeModelSyntax(call.calledAs), call.received.dialect ?? dialect);
}

function lookUp(engine: Engine, tools: ToolSnapshot, call: CallState): ToolEntry {
  const { permissions } = engine;
  if (call.callId === "" || call.toolName === "") throw refusal("lookup/malformed-call", {});
  if (readOrigin(call.received) === false) throw refusal("lookup/malformed-origin", {});
  const { dialect: ownDialect } = call.received;
  if (ownDialect !== undefined) {
    const known = tools.entries.map(({ tool }) => tool);
    if (!hasDialect(ownDialect, known)) throw refusal("decode/unknown-dialect", { dialect: ownDialect });
  }
  const called = findCalled(engine, tools, call);
  const meant = called ?? findMeant(engine, tools, call);
  const entry = engine.isLenient ? meant : called;
  if (entry === undefined || !isReached(engine, entry)) throw createUnknownTool(engine, tools, call, meant);
  call.toolName = entry.tool.name;
  if (called === undefined) {
    reportProblem(
      engine,
      call,
      "name-repaired",
      `The model wrote the name as ${JSON.stringify(call.calledAs)}. \`names: "lenient"\` let it pass.`,
    );
  }
  // A handler that loads on its first call may report only then that it is disabled.
  if (entry.tool.load !== undefined && !isEnabled(entry.tool)) {
    throw refusal("lookup/tool-gone", { tool: call.toolName });
  }
  const denial = permissions.denialOf(entry);
  if (denial !== undefined) throw refusal("permission/denied", { reason: denial });
  if (isAwaited(engine, entry) && call.part?.kept === undefined && !engine.extensions.isStandIn) {
    throw refusal("execute/no-one-to-execute", { tool: call.toolName });
  }
  // Denials were decided just now, because permissions may have changed since the turn began.
  const unavailable = unavailability(entry, call);
  if (unavailable !== undefined && unavailable.code !== "denied") throw new Refusal(unavailable);
  return entry;
}

/** True unless the caller of a nested call reaches fewer tools. */
function isReached({ nested }: Engine, entry: ToolEntry): boolean {
  return nested?.reaches === undefined || answerBoolean(nested.reaches(entry));
}

/** Creates the refusal of a name that no tool has which the caller reaches. */
function createUnknownTool(
  engine: Engine,
  tools: ToolSnapshot,
  { toolName }: CallState,
  meant: ToolEntry | undefined,
): Refusal {
  const offered = tools.entries.filter((each) => isAvailable(each) && isReached(engine, each));
  const names = offered.map(({ tool }) => tool.name);
  const nearest = meant !== undefined && offered.includes(meant) ? meant.tool.name : findNearestName(toolName, names);
  return refusal("lookup/unknown-tool", { name: toolName, meant: nearest, tools: names });
}

function unavailability({ unavailable }: ToolEntry, { part }: CallState): CallError | undefined {
  return part?.earlier !== undefined && unavailable?.code === "not-loaded" ? undefined : unavailable;
}

/** Returns the input in terms of the handler's schema. */
function inputOf(engine: Engine, { received }: CallState, { tool }: ToolEntry): JsonValue {
  const dialect = received.dialect ?? engine.dialect;
  const raw = typeof received.input === "string" ? parseText(received.input, tool) : readObject(received.input, tool);
  const decoded = dialect === undefined ? raw : decode(tool, dialect, raw);
  return tool.prepare === undefined ? decoded : prepare(tool, tool.prepare, decoded);
}

function prepare(tool: AnyTool, change: NonNullable<AnyTool["prepare"]>, decoded: JsonValue): JsonValue {
  // The schema need not know the shape of this input, so nobody knows where a secret is.
  const failed = (words: string): Refusal =>
    quotingRefusal("prepare/prepare-failed", {
      tool: tool.name,
      reason: declaresSecrets(tool.input) ? "its message may quote a secret" : words,
    });
  let prepared: unknown;
  try {
    prepared = answerNow(change(decoded));
  } catch (error) {
    throw failed(messageOf(error));
  }
  try {
    return prepared === undefined ? {} : copyJson(prepared);
  } catch (error) {
    throw failed(messageOf(error));
  }
}

function decode(tool: AnyTool, dialect: string, raw: JsonValue): JsonValue {
  const faults: DecodeFault[] = [];
  const decoded = tool.decodeInput(dialect, raw, faults);
  if (faults.length === 0) return decoded;
  // The dialect has its own shape, in which the schema finds no secret.
  const mayQuote = declaresSecrets(tool.input);
  const nodesOf = createNodeFinder(tool.input);
  const said = faults.map(({ pointer, message }) =>
    mayQuote ? `\`${keepDeclared(pointer, raw, tool.input, tool, nodesOf)}\` cannot be decoded.` : message,
  );
  throw refusal("schema/invalid-input", { tool: tool.name, faults: said });
}

/** Parses arguments. Without a value, nobody knows where a secret is: then no message quotes the text. */
function parseText(text: string, { input }: AnyTool): JsonValue {
  if (text === "") return {};
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw refusal("decode/invalid-json", {
      reason: declaresSecrets(input) ? "their syntax is broken" : messageOf(error),
    });
  }
  const inexact = inexactInteger(text);
  if (inexact !== undefined) throw inexactNumber(inexact, input);
  return value;
}

function readObject(value: unknown, { input }: AnyTool): JsonValue {
  try {
    return value === undefined ? {} : copyJson(value, refuseRounded);
  } catch (error) {
    const number = readProperty(error, "number");
    if (typeof number === "number") throw inexactNumber(String(number), input);
    throw refusal("decode/input-not-json", { reason: messageOf(error) });
  }
}

function inexactNumber(number: string, input: JsonSchema): Refusal {
  return refusal("decode/inexact-number", { number: declaresSecrets(input) ? "in the input" : number });
}
