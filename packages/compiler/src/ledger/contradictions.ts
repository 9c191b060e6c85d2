import type { JsonObject, JsonValue } from "@hasp/schema";
import { type Location, placeInText } from "@hasp/base/diagnostics";
import { type Effect, declarationOf, type HandlerDeclaration } from "../model/handlers.js";
import { isStructured, escapeToken, parsePointer, readOwnMember } from "@hasp/base/json";
import type { Relaxation, FlatTool } from "../model/tool.js";

export interface ContradictingEffect {
  readonly kind: string;
  readonly effect: Effect;
  readonly location: Location;
}

type EffectField = "class" | "isReadOnly" | "isDestructive" | "isIdempotent";

type StatedValues = { readonly [field in EffectField]?: unknown };

type Contradicts = (value: unknown, effect: Effect) => boolean;

const CONTRADICTED_BY: { readonly [field in EffectField]: Contradicts } = {
  class: (value, { verdict }) => value === "READ_ONLY" && verdict === "writes",
  isReadOnly: (value, { verdict }) => isClaimed(value, true) && verdict === "writes",
  isDestructive: (value, { destructive }) => isClaimed(value, false) && destructive === true,
  isIdempotent: (value, { idempotent, sendsKey }) =>
    (isClaimed(value, true) || (value === "withKey" && sendsKey !== true)) && idempotent === false,
};

const EFFECT_FIELDS = Object.keys(CONTRADICTED_BY) as readonly EffectField[];

/** True if a value may be the claimed one; a conditional value may apply to any call. */
function isClaimed(value: unknown, claimed: boolean): boolean {
  return value === claimed || isStructured(value);
}

export function findContradiction(tool: FlatTool, { pointer }: Relaxation): ContradictingEffect | undefined {
  return findContradictionIn(tool, statedAt(tool, pointer));
}

/** Finds a contradiction with these values as if the tool stated them. */
export function findContradictionIn(tool: FlatTool, values: StatedValues): ContradictingEffect | undefined {
  const fields = EFFECT_FIELDS.filter((field) => values[field] !== undefined);
  const declared = declarationOf(tool.spec);
  if (declared === undefined || fields.length === 0) return undefined;
  const effect = tool.effects?.find((each) => fields.some((field) => CONTRADICTED_BY[field](values[field], each)));
  if (effect === undefined) return undefined;
  return { kind: declared.key, effect, location: locateEffect(tool, declared, effect) };
}

function statedAt({ spec }: FlatTool, pointer: string): StatedValues {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) return spec.concurrency?.rules?.[Number(row[1])] ?? {};
  const [group, field = ""] = parsePointer(pointer);
  if (group === "concurrency") return { [field]: readOwnMember(spec.concurrency, field) };
  return group === "behavior" ? { [field]: readOwnMember(spec.behavior, field) } : {};
}

function locateEffect(tool: FlatTool, { key, declaration }: HandlerDeclaration, { at, span }: Effect): Location {
  const location = tool.locate(`/handler/${escapeToken(key)}${at}`);
  const text: unknown = parsePointer(at).reduce<unknown>(
    (value, token) => readOwnMember(value, token),
    declaration as unknown as JsonValue,
  );
  return typeof text === "string" && span !== undefined ? placeInText(tool.document, location, text, span) : location;
}

/** Lists the claims that a declared handler supports, as fields of `suggested`. */
export function listSupportedClaims(tool: FlatTool): JsonObject {
  const effects = tool.effects ?? [];
  if (effects.length === 0) return {};
  const isLocal = effects.every((effect) => effect.isLocal === true);
  return {
    ...(effects.every(({ verdict }) => verdict === "reads")
      ? { class: "READ_ONLY" }
      : effects.every(({ idempotent }) => idempotent === true) && { isIdempotent: true }),
    ...(isLocal && { isOpenWorld: false }),
  };
}
