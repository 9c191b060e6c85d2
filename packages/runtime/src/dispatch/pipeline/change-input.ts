import { appendToPointer, canonicalText, isObject, own } from "@hasp/base/json";
import { findValueAt } from "@hasp/schema/internal/keywords";
import type { JsonValue } from "@hasp/schema";
import { cut } from "../../results/text.js";
import { createEventSubject, type Case } from "../state/call-state.js";
import { runGuards } from "./hooks.js";
import { judgeGivenInput, setGivenInput } from "./given-input.js";
import { removeSecrets } from "../../tool/secrets.js";
import type { AnyTool } from "../../tool/definition.js";

const GIVERS = { ask: "The person who allowed this call", check: "The host, which allowed this call," } as const;

/** The most changed members that the model reads, and the most characters of a value. */
const MOST_CHANGES = 20;
const MOST_CHARACTERS = 200;

/**
 * Gives a call the input of the answer that allows it: validated, classified, judged and guarded like that of a
 * transform. Returns false if it is the same. Rejects with a `Refusal` if it may not run. A changed input loses all votes.
 */
export async function changeInput(about: Case, given: JsonValue, by: "ask" | "check"): Promise<boolean> {
  const { engine, call, entry } = about;
  const before = call.input as JsonValue;
  if (isSame(given, before)) return false;
  const beforeDigest = engine.permissions.digests.digest(call);
  const { notes } = call;
  call.notes = [...notes, `${GIVERS[by]} changed its input first.`];
  setGivenInput(about, given, by);
  const input = call.input as JsonValue;
  const isChanged = !isSame(input, before);
  call.notes = isChanged ? [...notes, explainChange(before, input, entry.tool, by)] : notes;
  if (!isChanged) return false;
  engine.emit?.({
    type: "input-changed",
    ...createEventSubject(call),
    by,
    before: removeSecrets(before, entry.tool.input, entry.tool).value,
    input: removeSecrets(input, entry.tool.input, entry.tool).value,
    beforeDigest,
    inputDigest: engine.permissions.digests.digest(call),
  });
  await judgeGivenInput(about, by);
  if (engine.hooks.guard.length > 0) await runGuards(about);
  return true;
}

/** Says to the model how the input was changed, member by member. */
function explainChange(before: JsonValue, after: JsonValue, tool: AnyTool, by: "ask" | "check"): string {
  const known = { patterns: tool.patterns, keepsUnknown: false };
  const [old, now] = [removeSecrets(before, tool.input, known), removeSecrets(after, tool.input, known)];
  const changes = [...listChanges(old.value, now.value, "")];
  // Two secrets look alike.
  const isSecretChanged =
    !isSame(old.secrets, now.secrets) ||
    [...old.hidden, ...now.hidden].some(
      (pointer) => !isSame(findValueAt(before, pointer), findValueAt(after, pointer)),
    );
  if (isSecretChanged) changes.push("a part that is secret");
  if (!isSame(old.unknown, now.unknown)) changes.push("a part that the schema does not know");
  const more = changes.length - MOST_CHANGES;
  const shown = changes.slice(0, MOST_CHANGES).map((change) => `- ${change}`);
  return [`${GIVERS[by]} changed its input first:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function listChanges(before: JsonValue | undefined, after: JsonValue | undefined, at: string): readonly string[] {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => listChanges(own(before, name), own(after, name), appendToPointer(at, name)));
  }
  if (after === undefined) return [`${at} was removed; it was ${print(before)}`];
  return [
    before === undefined ? `${at} was added: ${print(after)}` : `${at} was ${print(before)} and is ${print(after)}`,
  ];
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalText(one) === canonicalText(other);
}

function print(value: JsonValue | undefined): string {
  return cut(JSON.stringify(value), MOST_CHARACTERS);
}
