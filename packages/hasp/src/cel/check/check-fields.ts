import type { ASTNode } from "@marcbachmann/cel-js";
import { closest } from "../../diagnostics/closest.js";
import type { Expression } from "../expression.js";
import { withPresent, type Facts } from "./facts.js";
import { isOnly, type Judged, type Surroundings, type Whereabouts } from "./typed-expression.js";
import { wordsFor } from "./kind-words.js";
import { knowing, knowingOneOf } from "./narrowing.js";
import { declaredNames, kindsAt, memberPlace, whereMember, withoutMember, type Place } from "./input-type.js";
import { refuse } from "../refusal.js";
import { escapeToken } from "../../model/json-pointer.js";

const IDENTIFIER = /^[A-Za-z_]\w*$/u;

/** A name that stands alone: `input`, or the item of a loop. */
export function judgeName(node: ASTNode, word: string, { facts, variables, input }: Surroundings): Judged {
  const variable = variables.get(word);
  if (variable !== undefined) return atPlace({ kind: "variable", name: word }, variable, facts);
  if (word === "input") return atPlace({ kind: "input" }, input, facts);
  const isField = declaredNames(input.place).includes(word);
  return refuse(
    node,
    isField
      ? { variant: "unqualified-field", name: word, path: accessText("input", word) }
      : { variant: "unknown-name", name: word },
  );
}

/** A read of a field: it must be declared, and surely there. */
export function judgeMember(node: ASTNode, holderNode: ASTNode, name: string, around: Surroundings): Judged {
  const holder = judgeHolder(holderNode, around);
  const { textOf } = around;
  const { whereabouts, isCertain } = fieldOf(node, holder.whereabouts, textOf(holderNode), name);
  if (!isCertain && !around.facts.present.has(whereabouts.key)) {
    const holderText = textOf(holderNode);
    const test = IDENTIFIER.test(name) ? `has(${holderText}.${name})` : `present(${holderText}, '${name}')`;
    refuse(node, { variant: "absent", text: textOf(node), test });
  }
  const { pointer } = whereabouts;
  return atPlace({ kind: "member", object: holder.expression, name, pointer }, whereabouts, around.facts);
}

/** `input['max-rows']`: a field whose name is no identifier. */
export function judgeBracket(node: ASTNode, holderNode: ASTNode, key: ASTNode, around: Surroundings): Judged {
  if (key.op === "value" && typeof key.args === "string") return judgeMember(node, holderNode, key.args, around);
  return refuse(key, { variant: "computed-key" });
}

/** Whether a field is there: `has(input.scope)`, `present(input, 'max-rows')`, `'key' in input.map`. */
export function judgePresence(node: ASTNode, holderNode: ASTNode, name: string, around: Surroundings): Judged {
  const holder = judgeHolder(holderNode, around);
  const { whereabouts } = fieldOf(node, holder.whereabouts, around.textOf(holderNode), name);
  const { facts } = around;
  const known = knowing(facts, holder.whereabouts, (each) =>
    whereMember(each, name, (at) => at.alternatives.length > 0),
  );
  return {
    expression: { kind: "has", object: holder.expression, name, pointer: whereabouts.pointer },
    kinds: new Set(["bool"]),
    whenTrue: withPresent(known, whereabouts.key),
    whenFalse: knowing(facts, holder.whereabouts, (each) => withoutMember(each, name)),
  };
}

/** What stands at a place, with what is already known of it. */
function atPlace(expression: Expression, at: Whereabouts, facts: Facts): Judged {
  const place = facts.places.get(at.key) ?? at.place;
  const whereabouts = { ...at, place };
  const kinds = kindsAt(place);
  const isBool = isOnly(kinds, "bool");
  return {
    expression,
    kinds,
    whereabouts,
    whenTrue: isBool ? knowingOneOf(facts, whereabouts, [true]) : facts,
    whenFalse: isBool ? knowingOneOf(facts, whereabouts, [false]) : facts,
  };
}

/** Something that surely is an object of the input. */
function judgeHolder(node: ASTNode, around: Surroundings): Judged & { readonly whereabouts: Whereabouts } {
  const holder = around.judge(node, around);
  const { whereabouts, kinds } = holder;
  const text = around.textOf(node);
  if (whereabouts === undefined) return refuse(node, { variant: "not-a-place", text });
  if (isOnly(kinds, "map")) return { ...holder, whereabouts };
  if (!kinds.has("map")) return refuse(node, { variant: "no-fields", text, kinds: wordsFor(kinds) });
  const others = wordsFor(new Set([...kinds].filter((kind) => kind !== "map")));
  const guard = kinds.size === 2 && kinds.has("null") ? text : undefined;
  return refuse(node, { variant: "maybe-no-fields", text, kinds: others, guard });
}

interface Field {
  readonly whereabouts: Whereabouts;
  readonly isCertain: boolean;
}

function fieldOf(node: ASTNode, holder: Whereabouts, holderText: string, name: string): Field {
  const { place, isDeclared, isCertain } = memberPlace(holder.place, name);
  if (isDeclared) return { whereabouts: fieldWhereabouts(holder, name, place), isCertain };
  const nearest = closest(name, declaredNames(holder.place));
  return refuse(
    node,
    nearest === undefined
      ? { variant: "unknown-field", holder: holderText, name }
      : { variant: "misspelt-field", holder: holderText, name, nearest: accessText(holderText, nearest) },
  );
}

function fieldWhereabouts(holder: Whereabouts, name: string, place: Place): Whereabouts {
  const token = `/${escapeToken(name)}`;
  return { key: holder.key + token, pointer: holder.pointer + token, place, holder: { whereabouts: holder, name } };
}

function accessText(holder: string, name: string): string {
  return IDENTIFIER.test(name) ? `${holder}.${name}` : `${holder}['${name}']`;
}
