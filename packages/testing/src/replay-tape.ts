import { readFileSync } from "node:fs";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { canonicalText, deepFreeze, isObject, sumBy } from "@hasp/base/json";
import type { DispatcherExtension } from "@hasp/runtime";
import { callError, failure, cut, checkShape, oneOf, SECRET } from "@hasp/runtime/internal";
import { createSimulation } from "./simulate.js";
import { type TapedCall, type TapedOutcome, tapeExtension } from "./tape.js";
import { firstDifference, readTape, toOutcome, withoutAnnotations, type PlacedEntry } from "./tape-file.js";

export interface ReplayTapeOptions {
  /** The answer to a call that the tape lacks: an error with the nearest recorded call, or a simulated result. */
  readonly missing?: "refuse" | "simulate" | undefined;
}

/**
 * Answers calls from a tape: by tool and input, equal calls in their order, parallel calls in the order in which they
 * settled. Throws if the file is absent or damaged.
 */
export function replayTape(file: string, options: ReplayTapeOptions = {}): DispatcherExtension<undefined> {
  checkShape(options, { missing: oneOf("refuse", "simulate") }, "", (path, what) => {
    throw new TypeError(`replayTape: ${path} ${what}.`);
  });
  const { tools, entries } = readTape(readFileSync(file, "utf8"), file);
  const replay = new Replay(file, entries.map(deepFreeze));
  const simulation = options.missing === "simulate" ? createSimulation() : undefined;
  const outdated = new Map<unknown, string | undefined>();

  function findOutdated({ tool }: TapedCall): string | undefined {
    const recorded = tools.get(tool.name);
    if (recorded === undefined) return undefined;
    if (!outdated.has(tool.input)) outdated.set(tool.input, describeChange(recorded, withoutAnnotations(tool.input)));
    return outdated.get(tool.input);
  }

  return tapeExtension({
    replay(call: TapedCall) {
      const change = findOutdated(call);
      if (change !== undefined) {
        const reason = `the tape ${file} has another input schema for it: ${change}. Record the tape again.`;
        return refuse("execute/tape-outdated", call, reason);
      }
      return replay.answer(call, () => simulation?.(call));
    },
  });
}

/** Lists the tools of a tape that have another input schema now, or are gone. Throws if the file is damaged. */
export function findOutdatedTools(
  text: string,
  file: string,
  schemas: ReadonlyMap<string, JsonSchema>,
): readonly { readonly tool: string; readonly change: string }[] {
  return [...readTape(text, file).tools].flatMap(([tool, recorded]) => {
    const schema = schemas.get(tool);
    const change = schema === undefined ? "it is gone" : describeChange(recorded, withoutAnnotations(schema));
    return change === undefined ? [] : [{ tool, change }];
  });
}

function describeChange(recorded: JsonValue, now: JsonValue): string | undefined {
  const found = firstDifference(recorded, now);
  if (found === undefined) return undefined;
  const [before, after] = [found.before, found.now].map((value) =>
    value === undefined ? "absent" : cut(JSON.stringify(value), 200),
  );
  return `${found.at === "" ? "it" : found.at} is ${before} on the tape and ${after} now`;
}

function refuse(
  key: "execute/not-on-tape" | "execute/tape-outdated",
  { tool }: TapedCall,
  reason: string,
): TapedOutcome {
  return failure(callError(key, { tool: tool.name, reason }), "none");
}

interface WaitingCall {
  readonly call: TapedCall;
  readonly orSimulate: () => TapedOutcome | undefined;
  readonly settle: (outcome: TapedOutcome) => void;
  entry: PlacedEntry | undefined;
}

class Replay {
  readonly #file: string;
  readonly #entries: readonly PlacedEntry[];
  readonly #exact = new Map<string, PlacedEntry[]>();
  /** Entries with a hidden part, by tool. */
  readonly #masked = new Map<string, PlacedEntry[]>();
  #waiting: WaitingCall[] = [];

  constructor(file: string, entries: readonly PlacedEntry[]) {
    this.#file = file;
    this.#entries = entries;
    for (const entry of entries) {
      add(this.#exact, keyOf(entry.tool, entry.input), entry);
      if (JSON.stringify(entry.input).includes(SECRET)) add(this.#masked, entry.tool, entry);
    }
  }

  /** Answers once all calls that started with this one are known, in the order in which they settled. */
  answer(call: TapedCall, orSimulate: () => TapedOutcome | undefined): Promise<TapedOutcome> {
    return new Promise((settle) => {
      this.#waiting.push({ call, orSimulate, settle, entry: undefined });
      if (this.#waiting.length === 1) setImmediate(() => this.#settleNext());
    });
  }

  #settleNext(): void {
    for (const waiting of this.#waiting) waiting.entry ??= this.#take(waiting.call);
    const orders = this.#waiting.map(({ entry }) => entry?.order ?? 0);
    const first = orders.indexOf(Math.min(...orders));
    const [next] = this.#waiting.splice(first, 1) as [WaitingCall];
    if (this.#waiting.length > 0) setImmediate(() => this.#settleNext());
    const { call, entry, orSimulate, settle } = next;
    if (entry !== undefined) settle(toOutcome(entry, call.tool));
    else settle(orSimulate() ?? refuse("execute/not-on-tape", call, this.#explainMissing(call)));
  }

  #take({ tool, input }: TapedCall): PlacedEntry | undefined {
    const exact = this.#exact.get(keyOf(tool.name, input));
    const masked = this.#masked.get(tool.name) ?? [];
    const taken = exact?.[0] ?? masked.find((entry) => isCoveredBy(entry.input, input));
    if (taken === undefined) return undefined;
    for (const list of [this.#exact.get(keyOf(taken.tool, taken.input)) ?? [], masked]) {
      if (list.includes(taken)) list.splice(list.indexOf(taken), 1);
    }
    return taken;
  }

  #explainMissing({ tool, input }: TapedCall): string {
    const own = this.#entries.filter((entry) => entry.tool === tool.name);
    if (own.length === 0) {
      const others = [...new Set(this.#entries.map((entry) => entry.tool))];
      const held = others.length === 0 ? "no call" : `calls of ${cut(others.join(", "), 300)}`;
      return `the tape ${this.#file} holds no call of it. It holds ${held}.`;
    }
    const distances = own.map((entry) => distance(entry.input, input));
    const least = distances.reduce((most, each) => Math.min(most, each));
    const nearest = own[distances.indexOf(least)] as PlacedEntry;
    const place = `line ${nearest.line}: ${tool.name} ${cut(JSON.stringify(nearest.input), 500)}`;
    if (isCoveredBy(nearest.input, input)) {
      return `the tape ${this.#file} holds this call less often than it was made. The last that it holds is ${place}`;
    }
    const at = firstDifference(nearest.input, input)?.at;
    return `the tape ${this.#file} lacks this call. The nearest recorded call differs at ${at}, ${place}`;
  }
}

function add(map: Map<string, PlacedEntry[]>, key: string, entry: PlacedEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

function keyOf(tool: string, input: JsonValue): string {
  return `${tool}\n${canonicalText(input)}`;
}

/** True if a recorded value equals another, where each hidden part stands for any. */
function isCoveredBy(recorded: JsonValue, given: JsonValue): boolean {
  if (recorded === SECRET) return true;
  if (typeof recorded === "string") return typeof given === "string" && isCoveredText(recorded, given);
  if (Array.isArray(recorded)) {
    if (!Array.isArray(given) || given.length !== recorded.length) return false;
    return recorded.every((item, index) => isCoveredBy(item as JsonValue, given[index] as JsonValue));
  }
  if (!isObject(recorded) || !isObject(given)) return canonicalText(recorded) === canonicalText(given);
  const left = new Set(Object.keys(given));
  const members = Object.entries(recorded).toSorted(
    ([a], [b]) => Number(a.includes(SECRET)) - Number(b.includes(SECRET)),
  );
  const isEachCovered = members.every(([key, value]) => {
    const fits = (name: string): boolean =>
      left.has(name) && isCoveredText(key, name) && isCoveredBy(value, given[name] as JsonValue);
    const found = fits(key) ? key : [...left].find(fits);
    return found !== undefined && left.delete(found);
  });
  return isEachCovered && left.size === 0;
}

function isCoveredText(recorded: string, given: string): boolean {
  if (recorded === given) return true;
  const [first = "", ...rest] = recorded.split(SECRET);
  const last = rest.pop();
  if (last === undefined || !given.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = given.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return given.length - last.length >= at && given.endsWith(last);
}

/** Counts the leaves by which two values differ. */
function distance(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (Array.isArray(a) ? !Array.isArray(b) : !isObject(a) || !isObject(b)) {
    return canonicalText(a) === canonicalText(b) ? 0 : 1;
  }
  const [left, right] = [a as JsonObject, b as JsonObject];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return sumBy(keys, (key) => distance(left[key], right[key]));
}
