import type { ASTNode } from "@marcbachmann/cel-js";
import { findClosest } from "@hasp/base/diagnostics";
import type { Expression } from "../../model/conditions.js";
import { withPresent, addFacts, narrowToOne } from "./facts.js";
import { isOnly, typed, type TypedExpression, type TypeEnv, type InputPath, type Facts } from "./typed-expression.js";
import { describeKinds } from "./kinds.js";
import {
  listDeclaredNames,
  findKinds,
  findMemberType,
  filterByMember,
  removeMember,
  type InputType,
} from "./input-type.js";
import { refuse } from "./messages.js";
import { escapeToken, once } from "@hasp/base/json";

const IDENTIFIER = /^[A-Za-z_]\w*$/u;

/** Types a name that stands alone: `input`, or the item of a loop. */
export function checkName(node: ASTNode, word: string, { facts, variables, input }: TypeEnv): TypedExpression {
  const variable = variables.get(word);
  if (variable !== undefined) return typedPath({ kind: "variable", name: word }, variable, facts);
  if (word === "input") return typedPath({ kind: "input" }, input, facts);
  const isField = listDeclaredNames(input.type).includes(word);
  return refuse(
    node,
    isField
      ? { variant: "unqualified-field", name: word, path: accessText("input", word) }
      : { variant: "unknown-name", name: word },
  );
}

/** Types a read of a field, which must be declared and certain to be present. */
export function checkMember(node: ASTNode, holderNode: ASTNode, name: string, env: TypeEnv): TypedExpression {
  const holder = checkHolder(holderNode, env);
  const { textOf } = env;
  const { path, isCertain } = fieldOf(node, holder.path, textOf(holderNode), name);
  if (!isCertain && !env.mayReadAbsent && !env.facts.present.has(path.key)) {
    const holderText = textOf(holderNode);
    const test = IDENTIFIER.test(name) ? `has(${holderText}.${name})` : `present(${holderText}, '${name}')`;
    refuse(node, { variant: "absent", text: textOf(node), test });
  }
  const { pointer } = path;
  return typedPath({ kind: "member", object: holder.expression, name, pointer }, path, env.facts);
}

export function checkBracket(node: ASTNode, holderNode: ASTNode, key: ASTNode, env: TypeEnv): TypedExpression {
  if (key.op === "value" && typeof key.args === "string") return checkMember(node, holderNode, key.args, env);
  return refuse(key, { variant: "computed-key" });
}

/** Types a test for presence: `has(input.scope)`, `present(input, 'max-rows')`, `'key' in input.map`. */
export function checkPresence(node: ASTNode, holderNode: ASTNode, name: string, env: TypeEnv): TypedExpression {
  const holder = checkHolder(holderNode, env);
  const { path } = fieldOf(node, holder.path, env.textOf(holderNode), name);
  const { facts } = env;
  const known = addFacts(facts, holder.path, (each) => filterByMember(each, name, (at) => at.alternatives.length > 0));
  return {
    expression: { kind: "has", object: holder.expression, name, pointer: path.pointer },
    kinds: new Set(["bool"]),
    whenTrue: () => withPresent(known, path.key),
    whenFalse: once(() => addFacts(facts, holder.path, (each) => removeMember(each, name))),
  };
}

function typedPath(expression: Expression, at: InputPath, facts: Facts): TypedExpression {
  const type = facts.types.get(at.key) ?? at.type;
  const path = { ...at, type };
  const known = { ...typed(expression, findKinds(type), facts), path };
  if (!isOnly(known.kinds, "bool")) return known;
  return { ...known, whenTrue: narrowToOne(facts, path, [true]), whenFalse: narrowToOne(facts, path, [false]) };
}

function checkHolder(node: ASTNode, env: TypeEnv): TypedExpression & { readonly path: InputPath } {
  const holder = env.check(node, env);
  const { path, kinds } = holder;
  const text = env.textOf(node);
  if (path === undefined) return refuse(node, { variant: "no-object", text });
  if (isOnly(kinds, "map")) return { ...holder, path };
  if (!kinds.has("map")) return refuse(node, { variant: "no-fields", text, kinds: describeKinds(kinds) });
  const others = describeKinds(new Set([...kinds].filter((kind) => kind !== "map")));
  const guard = kinds.size === 2 && kinds.has("null") ? text : undefined;
  return refuse(node, { variant: "maybe-no-fields", text, kinds: others, guard });
}

interface ReadField {
  readonly path: InputPath;
  readonly isCertain: boolean;
}

function fieldOf(node: ASTNode, holder: InputPath, holderText: string, name: string): ReadField {
  const { type, isDeclared, isCertain } = findMemberType(holder.type, name);
  if (isDeclared) return { path: fieldPath(holder, name, type), isCertain };
  const nearest = findClosest(name, listDeclaredNames(holder.type));
  return refuse(
    node,
    nearest === undefined
      ? { variant: "unknown-field", holder: holderText, name }
      : { variant: "misspelt-field", holder: holderText, name, nearest: accessText(holderText, nearest) },
  );
}

function fieldPath(holder: InputPath, name: string, type: InputType): InputPath {
  const token = `/${escapeToken(name)}`;
  return { key: holder.key + token, pointer: holder.pointer + token, type, holder: { path: holder, name } };
}

function accessText(holder: string, name: string): string {
  return IDENTIFIER.test(name) ? `${holder}.${name}` : `${holder}['${name}']`;
}
