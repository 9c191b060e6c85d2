import { RIGHT_TO_LEFT } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/schema";
import { type ConcurrencyClass, FIELDS, isLooser } from "../tool/fields.js";

/** A call that a person is asked about: a {@link Question}, or the request of a permission function. */
export interface AskedCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly class: ConcurrencyClass;
  readonly isDestructive: boolean;
  readonly reason?: string | undefined;
  readonly hidden?: readonly string[] | undefined;
  readonly refuseOnly?: true | undefined;
  /** SHA-256 of the tool's definition: an answer counts for no other. */
  readonly toolDigest?: string | undefined;
  /** Present if the question is about what may leave a conversation. */
  readonly flow?: { readonly destination?: JsonValue } | undefined;
}

/** A question as text for a person, without characters that a screen hides or reorders. */
interface PresentedQuestion {
  readonly toolName: string;
  readonly effect: string;
  readonly reason: string | undefined;
  /** The whole input as JSON; `undefined` if it is too long or too deep for a person to judge. */
  readonly input: string | undefined;
  readonly notes: readonly string[];
  /** The calls that an answer with `remember` allows, as a sentence for a form that offers it. */
  readonly remembering: string;
  /** False if the person cannot see enough to allow the call: offer only a refusal, and accept no other answer. */
  readonly mayAllow: boolean;
}

interface PresentOptions {
  /**
   * True if the caller keeps letters that run from right to left from moving what surrounds them, as a page with
   * `unicode-bidi: isolate-override; direction: ltr` does. Otherwise they are spelled out: `\u{5d0}`.
   */
  readonly isolatesDirections?: boolean | undefined;
}

// Limits of an input that a person can judge: characters, escapes of invisible ones included, and levels.
const MOST_CHARACTERS = 50_000;
const MOST_LEVELS = 64;
// A longer input has a line for each of its parts.
const LONGEST_LINE = 80;

/** Presents a question to a person, and decides if the person sees enough to allow the call. */
export function presentQuestion(asked: AskedCall, options: PresentOptions = {}): PresentedQuestion {
  const { toolName, reason, isDestructive, hidden = [], refuseOnly } = asked;
  const spell = (text: string): string => (options.isolatesDirections === true ? text : spellOut(text, RIGHT_TO_LEFT));
  const input = inputText(asked.input);
  const names = spellOut(hidden.join(", "));
  const isWhole = input !== undefined && input.length + names.length <= MOST_CHARACTERS;
  const notes = [
    ...(isWhole ? [] : ["The input is too long to be judged, so the call can only be refused here."]),
    ...(isWhole && hidden.length > 0 ? [`Hidden, because the tool declares it secret: ${spell(names)}.`] : []),
    ...(refuseOnly ? ["The call may destroy data and part of its input is hidden, so it can only be refused."] : []),
  ];
  return {
    toolName: spell(spellOut(toolName)),
    effect: isDestructive
      ? "It may destroy data."
      : asked.class === "READ_ONLY"
        ? "It only reads."
        : "It changes something.",
    reason: reason === undefined ? undefined : spell(spellOut(reason)),
    input: isWhole ? spell(input) : undefined,
    notes,
    remembering: spell(spellOut(explainRemembering(asked))),
    mayAllow: isWhole && refuseOnly !== true,
  };
}

/** True if a call counts as more harmful now than a question said. */
export function hasHardened(
  shown: Pick<AskedCall, "class" | "isDestructive" | "refuseOnly">,
  now: typeof shown,
): boolean {
  return (
    isLooser(FIELDS.concurrency.class, shown.class, now.class) ||
    (now.isDestructive && !shown.isDestructive) ||
    (now.refuseOnly === true && shown.refuseOnly !== true)
  );
}

function explainRemembering({ toolName, isDestructive, flow }: AskedCall): string {
  const destination = flow?.destination;
  if (isDestructive || (flow !== undefined && destination === undefined)) {
    return "If it is remembered, a yes covers this exact input only.";
  }
  const calls = `If it is remembered, a yes covers every call of ${toolName}`;
  return destination === undefined
    ? `${calls} that is not destructive.`
    : `${calls} to ${JSON.stringify(destination)}, and none to anybody else.`;
}

function inputText(input: unknown): string | undefined {
  const line = JSON.stringify(input);
  if (line.length > MOST_CHARACTERS || isDeeper(input, MOST_LEVELS)) return undefined;
  const text = line.length <= LONGEST_LINE ? line : JSON.stringify(input, undefined, 2);
  return text
    .split("\n")
    .map((part) => spellOut(part))
    .join("\n");
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

// Invisible characters, those that reverse the text around them, and blanks that look like a space or like nothing.
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function spellOut(text: string, characters: RegExp = INVISIBLE): string {
  return text.replaceAll(characters, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
