import type { JsonValue } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import { placeInText } from "../../diagnostics/place-in-text.js";
import type { HandlerKindName } from "../../model/handlers/declaration.js";
import { pointerTokens } from "../../model/json-pointer.js";
import { ownMember } from "../../model/own.js";
import type { Relaxation, FlatTool } from "../../model/tool.js";
import type { Effect } from "./base/effect.js";
import { declaredEffects } from "./declared-effects.js";

/** What the handler of a tool does against a claim. */
export interface Contradiction {
  readonly kind: HandlerKindName;
  readonly effect: Effect;
  /** Where the declaration shows it. */
  readonly location: Location;
}

/** A field that says what a call does. */
type EffectField = "class" | "isReadOnly" | "isDestructive" | "isIdempotent";

/** Values of the fields that say what a call does, as a spec, a row or a suggestion states them. */
type StatedValues = { readonly [field in EffectField]?: unknown };

/** Whether an effect contradicts a value of a field. */
type Contradicts = (value: unknown, effect: Effect, kind: HandlerKindName) => boolean;

const CONTRADICTED_BY: { readonly [field in EffectField]: Contradicts } = {
  class: (value, { verdict }) => value === "READ_ONLY" && verdict === "writes",
  isReadOnly: (value, { verdict }) => isClaimed(value, true) && verdict === "writes",
  isDestructive: (value, { destructive }) => isClaimed(value, false) && destructive === true,
  isIdempotent: (value, { idempotent }, kind) =>
    // Only HTTP sends a key; nothing else would know that a call is repeated.
    (isClaimed(value, true) || (value === "withKey" && kind !== "http")) && idempotent === false,
};

const EFFECT_FIELDS = Object.keys(CONTRADICTED_BY) as readonly EffectField[];

/** Whether a field claims a value for some calls at least: a condition may hold for any. */
function isClaimed(value: unknown, claimed: boolean): boolean {
  return value === claimed || (typeof value === "object" && value !== null);
}

/** What contradicts a claim of a tool, in what its handler declares; `undefined` where nothing does. */
export function contradictionTo(tool: FlatTool, { pointer }: Relaxation): Contradiction | undefined {
  return contradictionOf(tool, statedAt(tool, pointer));
}

/** What contradicts these values, as if the tool stated them. */
export function contradictionOf(tool: FlatTool, values: StatedValues): Contradiction | undefined {
  const declared = declaredEffects(tool);
  const fields = EFFECT_FIELDS.filter((field) => values[field] !== undefined);
  if (declared === undefined || fields.length === 0) return undefined;
  const { kind, effects } = declared;
  const effect = effects.find((each) => fields.some((field) => CONTRADICTED_BY[field](values[field], each, kind)));
  return effect === undefined ? undefined : { kind, effect, location: placeOf(tool, kind, effect) };
}

/** The values that a claim states, by the pointer of the claim: a row states several. */
function statedAt({ spec }: FlatTool, pointer: string): StatedValues {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) return spec.concurrency?.rules?.[Number(row[1])] ?? {};
  const [group, field = ""] = pointerTokens(pointer);
  if (group === "concurrency") return { [field]: ownMember(spec.concurrency, field) };
  return group === "behavior" ? { [field]: ownMember(spec.behavior, field) } : {};
}

function placeOf(tool: FlatTool, kind: HandlerKindName, { at, span }: Effect): Location {
  const location = tool.locate(`/handler/${kind}${at}`);
  const text: unknown = pointerTokens(at).reduce<unknown>(
    (value, token) => ownMember(value, token),
    tool.spec.handler?.[kind] as JsonValue | undefined,
  );
  return typeof text === "string" && span !== undefined ? placeInText(tool.document, location, text, span) : location;
}
