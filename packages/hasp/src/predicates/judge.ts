import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { duration, timestamp } from "@hasp/runtime/codegen";
import { closest } from "../diagnostics/closest.js";
import type { ArithmeticDomain, ArithmeticOperator, Expression, OrderOperator } from "./expression.js";
import { either, NO_FACTS, withPlace, withPresent, type Facts } from "./facts.js";
import { problemOfPattern } from "./pattern.js";
import {
  declaredNames,
  isAllowed,
  itemPlace,
  kindsAt,
  listedValues,
  memberPlace,
  mostItems,
  narrowedFrom,
  narrowedTo,
  placeOf,
  whereMember,
  withoutMember,
  type Kind,
  type Place,
} from "./place.js";
import { refuse } from "./refusal.js";

type ValueKind = Kind | "timestamp" | "duration";

/** A place of the input that an expression names. */
interface Whereabouts {
  /** Tells places apart, also the items that two loops over one list look at. */
  readonly key: string;
  /** JSON Pointer into instances, `*` for any item. */
  readonly pointer: string;
  readonly place: Place;
  readonly holder?: { readonly whereabouts: Whereabouts; readonly name: string };
}

/** An expression that keeps the law, what it can be, and what its being true or false tells. */
interface Judged {
  readonly expression: Expression;
  readonly kinds: ReadonlySet<ValueKind>;
  readonly whereabouts?: Whereabouts;
  /** The members of a list that is written out. */
  readonly items?: readonly Judged[];
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
}

/** Where in the predicate a node stands. */
interface Surroundings {
  readonly facts: Facts;
  readonly variables: ReadonlyMap<string, Whereabouts>;
  /** Most rounds of the loops around the node. */
  readonly rounds: number | undefined;
}

const ALLOWED =
  "== != < <= > >= && || ! in ?: + - * / % has present size startsWith endsWith contains matches timestamp duration all exists";
const FUNCTIONS = ["has", "present", "size", "timestamp", "duration"];
const METHODS = ["size", "startsWith", "endsWith", "contains", "matches", "all", "exists"];

/** Most rounds that nested loops may take together. */
const MOST_ROUNDS = 100_000;

/** Holds a parsed predicate against the law of predicates; throws a `Refusal` at the first breach. */
export function judge(root: ASTNode, source: string, input: JsonSchema): Expression {
  const text = (node: ASTNode): string => source.slice(node.start, node.end);
  const inputWhereabouts: Whereabouts = { key: "", pointer: "", place: placeOf(input) };
  let loops = 0;

  const judged = expressionOf(root, { facts: NO_FACTS, variables: new Map(), rounds: undefined });
  if (!isOnly(judged.kinds, "bool")) {
    refuse(root, `A predicate must be true or false; this one gives ${wordsFor(judged.kinds)}.`);
  }
  return judged.expression;

  function expressionOf(node: ASTNode, around: Surroundings): Judged {
    switch (node.op) {
      case "value":
        return literal(node, node.args, around);
      case "id":
        return name(node, node.args, around);
      case ".":
        return member(node, node.args[0], node.args[1], around);
      case "[]":
        return bracket(node, node.args[0], node.args[1], around);
      case "call":
        return call(node, node.args[0], node.args[1], around);
      case "rcall":
        return method(node, node.args[0], node.args[1], node.args[2], around);
      case "list":
        return list(node.args, around);
      case "&&":
      case "||":
        return logical(node.op === "&&" ? "and" : "or", node.args[0], node.args[1], around);
      case "!_": {
        const operand = bool(node.args, around);
        const expression: Expression = { kind: "not", operand: operand.expression };
        return { expression, kinds: operand.kinds, whenTrue: operand.whenFalse, whenFalse: operand.whenTrue };
      }
      case "-_":
        return negation(node.args, around);
      case "?:":
        return condition(node, node.args, around);
      case "==":
      case "!=":
        return equality(node, node.op === "!=", node.args[0], node.args[1], around);
      case "<":
      case "<=":
      case ">":
      case ">=":
        return order(node, node.op, node.args[0], node.args[1], around);
      case "in":
        return inclusion(node, node.args[0], node.args[1], around);
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
        return arithmetic(node, node.op, node.args[0], node.args[1], around);
      default:
        return refuse(node, `${text(node)} is not part of the language of predicates.`, `Allowed: ${ALLOWED}`);
    }
  }

  function literal(node: ASTNode, value: unknown, { facts }: Surroundings): Judged {
    if (typeof value === "bigint") {
      const number = Number(value);
      if (!Number.isSafeInteger(number)) refuse(node, `${text(node)} is larger than a JSON number can hold exactly.`);
      return value_({ kind: "literal", value: number }, ["int"], facts);
    }
    if (typeof value === "number") return value_({ kind: "literal", value }, ["double"], facts);
    if (typeof value === "string") return value_({ kind: "literal", value }, ["string"], facts);
    if (value === null) return value_({ kind: "literal", value }, ["null"], facts);
    if (typeof value === "boolean") {
      // Whatever follows a constant that cannot be so is never reached; nothing needs to be known there.
      return value_({ kind: "literal", value }, ["bool"], facts);
    }
    return refuse(node, `${text(node)} is a literal that JSON has not; use a number, a text, true, false or null.`);
  }

  function name(node: ASTNode, name: string, { facts, variables }: Surroundings): Judged {
    const variable = variables.get(name);
    if (variable !== undefined) return atPlace({ kind: "variable", name }, variable, facts);
    if (name === "input") return atPlace({ kind: "input" }, inputWhereabouts, facts);
    const isField = declaredNames(inputWhereabouts.place).includes(name);
    return refuse(
      node,
      `There is no ${JSON.stringify(name)} here: a predicate sees only \`input\`.`,
      isField ? `Write \`input.${name}\`.` : undefined,
    );
  }

  /** What stands at a place, with what is already known of it. */
  function atPlace(expression: Expression, at: Whereabouts, facts: Facts): Judged {
    const place = facts.places.get(at.key) ?? at.place;
    const whereabouts = { ...at, place };
    const kinds = kindsAt(place);
    if (!isOnly(kinds, "bool")) return { expression, kinds, whereabouts, whenTrue: facts, whenFalse: facts };
    return {
      expression,
      kinds,
      whereabouts,
      whenTrue: knowing(facts, whereabouts, (each) => narrowedTo(each, [true])),
      whenFalse: knowing(facts, whereabouts, (each) => narrowedTo(each, [false])),
    };
  }

  function object(node: ASTNode, around: Surroundings): Judged & { readonly whereabouts: Whereabouts } {
    const judged = expressionOf(node, around);
    const { whereabouts, kinds } = judged;
    if (whereabouts === undefined) return refuse(node, `${text(node)} has no fields; only \`input\` and what is in it have.`);
    if (!isOnly(kinds, "map")) {
      if (!kinds.has("map")) return refuse(node, `\`${text(node)}\` is ${wordsFor(kinds)} and has no fields.`);
      const others = wordsFor(new Set([...kinds].filter((kind) => kind !== "map")));
      const guard = kinds.size === 2 && kinds.has("null") ? `Ask \`${text(node)} != null && …\` first.` : undefined;
      return refuse(node, `\`${text(node)}\` may also be ${others}, which has no fields.`, guard);
    }
    return { ...judged, whereabouts };
  }

  function fieldOf(node: ASTNode, holder: Whereabouts, holderText: string, name: string): Place {
    const { place, isDeclared } = memberPlace(holder.place, name);
    if (isDeclared && place !== undefined) return place;
    const nearest = closest(name, declaredNames(holder.place));
    return refuse(
      node,
      `\`${holderText}\` has no field ${JSON.stringify(name)} in its schema.`,
      nearest === undefined ? "Declare it under `properties`." : `Did you mean \`${accessText(holderText, nearest)}\`?`,
    );
  }

  function member(node: ASTNode, holderNode: ASTNode, name: string, around: Surroundings): Judged {
    const holder = object(holderNode, around);
    const place = fieldOf(node, holder.whereabouts, text(holderNode), name);
    const whereabouts = fieldWhereabouts(holder.whereabouts, name, place);
    const isCertain = memberPlace(holder.whereabouts.place, name).isCertain;
    if (!isCertain && !around.facts.present.has(whereabouts.key)) {
      const test = IDENTIFIER.test(name) ? `has(${text(holderNode)}.${name})` : `present(${text(holderNode)}, '${name}')`;
      refuse(node, `\`${text(node)}\` may be absent, and reading what is absent is an error.`, `Ask \`${test} && …\` first.`);
    }
    const { pointer } = whereabouts;
    return atPlace({ kind: "member", object: holder.expression, name, pointer }, whereabouts, around.facts);
  }

  function bracket(node: ASTNode, holderNode: ASTNode, key: ASTNode, around: Surroundings): Judged {
    if (key.op === "value" && typeof key.args === "string") return member(node, holderNode, key.args, around);
    return refuse(
      key,
      "Only a field's name in quotes may stand between brackets.",
      "To look at the items of a list use `.exists(item, …)` or `.all(item, …)`.",
    );
  }

  function call(node: ASTNode, called: string, args: readonly ASTNode[], around: Surroundings): Judged {
    const [first, second] = args;
    switch (called) {
      case "has":
        if (first?.op !== ".") return refuse(node, "`has` takes a field, as in `has(input.scope)`.");
        return presence(node, first.args[0], first.args[1], around);
      case "present":
        if (first === undefined || second?.op !== "value" || typeof second.args !== "string" || args.length !== 2) {
          return refuse(node, "`present` takes an object and a name in quotes, as in `present(input, 'max-rows')`.");
        }
        return presence(node, first, second.args, around);
      case "size":
        if (first === undefined || args.length !== 1) return refuse(node, "`size` takes one text, list or map.");
        return size(first, around);
      case "timestamp":
      case "duration":
        if (first === undefined || args.length !== 1) return refuse(node, `\`${called}\` takes one text.`);
        return time(called, first, around);
      default:
        return refuse(node, `There is no function \`${called}\` for predicates.`, suggestion(called, FUNCTIONS));
    }
  }

  function presence(node: ASTNode, holderNode: ASTNode, name: string, around: Surroundings): Judged {
    const holder = object(holderNode, around);
    const place = fieldOf(node, holder.whereabouts, text(holderNode), name);
    const { key, pointer } = fieldWhereabouts(holder.whereabouts, name, place);
    const { facts } = around;
    return {
      expression: { kind: "has", object: holder.expression, name, pointer },
      kinds: new Set(["bool"]),
      whenTrue: withPresent(
        knowing(facts, holder.whereabouts, (each) => whereMember(each, name, (at) => at.alternatives.length > 0)),
        key,
      ),
      whenFalse: knowing(facts, holder.whereabouts, (each) => withoutMember(each, name)),
    };
  }

  function method(
    node: ASTNode,
    called: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    around: Surroundings,
  ): Judged {
    const [first, second] = args;
    switch (called) {
      case "size":
        if (args.length > 0) return refuse(node, "`.size()` takes no argument.");
        return size(receiver, around);
      case "startsWith":
      case "endsWith":
      case "contains": {
        if (first === undefined || args.length !== 1) return refuse(node, `\`.${called}()\` takes one text.`);
        const whole = textual(receiver, around).expression;
        const part = textual(first, around).expression;
        return value_({ kind: "text-test", test: called, text: whole, part }, ["bool"], around.facts);
      }
      case "matches": {
        if (first?.op !== "value" || typeof first.args !== "string" || args.length !== 1) {
          return refuse(first ?? node, "`.matches()` takes a pattern in quotes, so that it can be proved before it runs.");
        }
        const problem = problemOfPattern(first.args);
        if (problem !== undefined) return refuse(first, problem.message, problem.help);
        const whole = textual(receiver, around).expression;
        return value_({ kind: "matches", text: whole, pattern: first.args }, ["bool"], around.facts);
      }
      case "all":
      case "exists":
        if (first?.op !== "id" || second === undefined || args.length !== 2) {
          return refuse(node, `\`.${called}()\` takes a name and a test, as in \`input.paths.${called}(path, path != '')\`.`);
        }
        return quantifier(node, called, receiver, first, second, around);
      default:
        return refuse(node, `There is no \`.${called}()\` for predicates.`, suggestion(called, METHODS));
    }
  }

  function quantifier(
    node: ASTNode,
    called: "all" | "exists",
    listNode: ASTNode,
    variable: ASTNode & { readonly op: "id" },
    bodyNode: ASTNode,
    around: Surroundings,
  ): Judged {
    const judgedList = expressionOf(listNode, around);
    const at = judgedList.whereabouts;
    if (at === undefined || !isOnly(judgedList.kinds, "list")) {
      return refuse(listNode, `\`.${called}()\` looks at a list of the input; \`${text(listNode)}\` is ${wordsFor(judgedList.kinds)}.`);
    }
    if (variable.args === "input") refuse(variable, "`input` is taken; name the item otherwise.");
    const rounds = roundsOf(node, at.place, around);
    loops += 1;
    const item: Whereabouts = { key: `${loops}:`, pointer: `${at.pointer}/*`, place: itemPlace(at.place) };
    const variables = new Map([...around.variables, [variable.args, item]]);
    const body = bool(bodyNode, { facts: around.facts, variables, rounds });
    const expression: Expression = {
      kind: "quantifier",
      quantifier: called,
      variable: variable.args,
      list: judgedList.expression,
      body: body.expression,
    };
    return value_(expression, ["bool"], around.facts);
  }

  /** A loop costs what its list is long, and lists have no bound of their own; a loop inside a loop needs one. */
  function roundsOf(node: ASTNode, place: Place, { rounds }: Surroundings): number {
    const own = mostItems(place);
    if (rounds !== undefined && rounds * own > MOST_ROUNDS) {
      refuse(
        node,
        "A loop inside a loop may take too long: the product of the two lists has no small bound.",
        `Give both lists a \`maxItems\`, together at most ${MOST_ROUNDS} rounds.`,
      );
    }
    return (rounds ?? 1) * own;
  }

  function size(node: ASTNode, around: Surroundings): Judged {
    const operand = expressionOf(node, around);
    const of = isOnly(operand.kinds, "string")
      ? "text"
      : isOnly(operand.kinds, "list")
        ? "list"
        : isOnly(operand.kinds, "map")
          ? "map"
          : refuse(node, `\`${text(node)}\` is ${wordsFor(operand.kinds)} and has no size.`, nullGuard(node, operand.kinds));
    return value_({ kind: "size", of, operand: operand.expression }, ["int"], around.facts);
  }

  function time(of: "timestamp" | "duration", node: ASTNode, around: Surroundings): Judged {
    const { expression } = textual(node, around);
    if (expression.kind === "literal" && typeof expression.value === "string") {
      try {
        (of === "timestamp" ? timestamp : duration)(expression.value);
      } catch {
        const example = of === "timestamp" ? "2026-01-31T12:00:00Z" : "90s or 1h30m";
        refuse(node, `${text(node)} is no ${of}.`, `Write it like ${example}.`);
      }
    }
    return value_({ kind: "time", of, text: expression }, [of], around.facts);
  }

  function list(nodes: readonly ASTNode[], around: Surroundings): Judged {
    const items = nodes.map((item) => expressionOf(item, around));
    const expression: Expression = { kind: "list", items: items.map((item) => item.expression) };
    return { ...value_(expression, ["list"], around.facts), items };
  }

  function logical(kind: "and" | "or", leftNode: ASTNode, rightNode: ASTNode, around: Surroundings): Judged {
    const left = bool(leftNode, around);
    const facts = kind === "and" ? left.whenTrue : left.whenFalse;
    const right = bool(rightNode, { ...around, facts });
    const expression: Expression = { kind, left: left.expression, right: right.expression };
    return {
      expression,
      kinds: left.kinds,
      whenTrue: kind === "and" ? right.whenTrue : either(left.whenTrue, right.whenTrue),
      whenFalse: kind === "or" ? right.whenFalse : either(left.whenFalse, right.whenFalse),
    };
  }

  function negation(node: ASTNode, around: Surroundings): Judged {
    const operand = expressionOf(node, around);
    const { expression, kinds } = operand;
    if (!isNumeric(kinds)) refuse(node, `\`${text(node)}\` is ${wordsFor(kinds)}; only a number has a negative.`, nullGuard(node, kinds));
    if (expression.kind === "literal" && typeof expression.value === "number") {
      return { ...operand, expression: { kind: "literal", value: -expression.value } };
    }
    return value_({ kind: "negate", operand: expression }, [...kinds], around.facts);
  }

  function condition(node: ASTNode, args: readonly [ASTNode, ASTNode, ASTNode], around: Surroundings): Judged {
    const test = bool(args[0], around);
    const then = expressionOf(args[1], { ...around, facts: test.whenTrue });
    const otherwise = expressionOf(args[2], { ...around, facts: test.whenFalse });
    if (then.kinds.size !== 1 || !isOnly(otherwise.kinds, ...then.kinds)) {
      refuse(node, `Both answers of \`?:\` must be of one kind; they are ${wordsFor(then.kinds)} and ${wordsFor(otherwise.kinds)}.`);
    }
    return {
      expression: { kind: "condition", test: test.expression, then: then.expression, otherwise: otherwise.expression },
      kinds: then.kinds,
      whenTrue: either(then.whenTrue, otherwise.whenTrue),
      whenFalse: either(then.whenFalse, otherwise.whenFalse),
    };
  }

  function equality(node: ASTNode, negated: boolean, leftNode: ASTNode, rightNode: ASTNode, around: Surroundings): Judged {
    const left = expressionOf(leftNode, around);
    const right = expressionOf(rightNode, around);
    if (left.items !== undefined || right.items !== undefined) {
      refuse(node, "A written list may stand only after `in`.", "Compare the items one by one.");
    }
    comparable(node, left, right);
    const { facts } = around;
    const equal = assuming(node, facts, left, right);
    const unequal = denying(facts, left, right);
    return {
      expression: { kind: "equals", negated, by: comparisonOf(left, right), left: left.expression, right: right.expression },
      kinds: new Set(["bool"]),
      whenTrue: negated ? unequal : equal,
      whenFalse: negated ? equal : unequal,
    };
  }

  /** Refuses a comparison that can only ever have one answer: it is a mistake, not a rule. */
  function comparable(node: ASTNode, left: Judged, right: Judged): void {
    if ([...left.kinds].some((kind) => right.kinds.has(kind))) return;
    if (isNumeric(left.kinds) && isNumeric(right.kinds)) {
      refuse(node, "An integer and a number with a fraction are of different kinds in CEL.", "Write the literal as `1.0`.");
    }
    refuse(node, `${wordsFor(left.kinds)} is never equal to ${wordsFor(right.kinds)}.`);
  }

  /** What is known once both sides are equal. */
  function assuming(node: ASTNode, facts: Facts, left: Judged, right: Judged): Facts {
    for (const [field, other] of [[left, right], [right, left]] as const) {
      const value = literalOf(other);
      if (field.whereabouts === undefined || value === undefined) continue;
      mustBePossible(node, field.whereabouts, value);
      return knowing(facts, field.whereabouts, (place) => narrowedTo(place, [value]));
    }
    return facts;
  }

  /** What is known once both sides differ. */
  function denying(facts: Facts, left: Judged, right: Judged): Facts {
    for (const [field, other] of [[left, right], [right, left]] as const) {
      const value = literalOf(other);
      if (field.whereabouts === undefined || value === undefined) continue;
      return knowing(facts, field.whereabouts, (place) => narrowedFrom(place, [value]));
    }
    return facts;
  }

  function mustBePossible(node: ASTNode, { place, pointer }: Whereabouts, value: JsonValue): void {
    if (place.alternatives.some((alternative) => isAllowed(alternative, value))) return;
    const listed = place.alternatives.map(listedValues);
    const values = listed.every((each) => each !== undefined) ? listed.flat() : undefined;
    const field = pointer === "" ? "input" : pointer.slice(1);
    refuse(
      node,
      `${JSON.stringify(field)} is never ${JSON.stringify(value)} here.`,
      values === undefined || values.length > 12
        ? "Its schema does not allow that value, or an earlier test has ruled it out."
        : `It can be ${values.map((each) => JSON.stringify(each)).join(", ") || "nothing at all"}.`,
    );
  }

  function order(node: ASTNode, operator: OrderOperator, leftNode: ASTNode, rightNode: ASTNode, around: Surroundings): Judged {
    const left = expressionOf(leftNode, around);
    const right = expressionOf(rightNode, around);
    const both = (...kinds: readonly ValueKind[]): boolean => isOnly(left.kinds, ...kinds) && isOnly(right.kinds, ...kinds);
    const of =
      isNumeric(left.kinds) && isNumeric(right.kinds)
        ? "number"
        : both("string")
          ? "text"
          : both("timestamp") || both("duration")
            ? "time"
            : refuse(
                node,
                `${wordsFor(left.kinds)} and ${wordsFor(right.kinds)} cannot be put in order.`,
                nullGuard(leftNode, left.kinds) ?? nullGuard(rightNode, right.kinds),
              );
    return value_({ kind: "order", operator, of, left: left.expression, right: right.expression }, ["bool"], around.facts);
  }

  function inclusion(node: ASTNode, itemNode: ASTNode, listNode: ASTNode, around: Surroundings): Judged {
    const item = expressionOf(itemNode, around);
    const container = expressionOf(listNode, around);
    const { facts } = around;
    if (container.items !== undefined) return inWrittenList(node, item, container, container.items, facts);
    const at = container.whereabouts;
    if (at === undefined) return refuse(listNode, `\`in\` looks into a list or an object; this is ${wordsFor(container.kinds)}.`);
    if (isOnly(container.kinds, "map")) {
      if (!isOnly(item.kinds, "string")) refuse(itemNode, `A key is a text, and this is ${wordsFor(item.kinds)}.`);
      const key = literalOf(item);
      if (typeof key === "string") return presence(node, listNode, key, around);
      return value_({ kind: "in-map", key: item.expression, map: container.expression }, ["bool"], facts);
    }
    if (!isOnly(container.kinds, "list")) {
      return refuse(listNode, `\`${text(listNode)}\` is ${wordsFor(container.kinds)}; \`in\` looks into a list or an object.`, nullGuard(listNode, container.kinds));
    }
    if (around.rounds !== undefined) roundsOf(node, at.place, around);
    const member: Judged = { ...value_(container.expression, [...kindsAt(itemPlace(at.place))], facts) };
    comparable(node, item, member);
    const value = literalOf(item);
    if (value !== undefined) mustBePossible(node, { key: "", pointer: `${at.pointer}/*`, place: itemPlace(at.place) }, value);
    const by = comparisonOf(item, member);
    return value_({ kind: "in-list", by, item: item.expression, list: container.expression }, ["bool"], facts);
  }

  function inWrittenList(node: ASTNode, item: Judged, container: Judged, items: readonly Judged[], facts: Facts): Judged {
    if (items.length === 0) refuse(node, "Nothing is in an empty list.");
    for (const each of items) comparable(node, item, each);
    const values = items.flatMap((each) => literalOf(each) ?? []);
    const areLiterals = items.every((each) => literalOf(each) !== undefined);
    const isIdentity = items.every((each) => comparisonOf(item, each) === "identity");
    const { whereabouts } = item;
    if (whereabouts !== undefined) for (const value of values) mustBePossible(node, whereabouts, value);
    const isNarrowing = whereabouts !== undefined && areLiterals;
    return {
      expression: { kind: "in-list", by: isIdentity ? "identity" : "value", item: item.expression, list: container.expression },
      kinds: new Set(["bool"]),
      whenTrue: isNarrowing ? knowing(facts, whereabouts, (place) => narrowedTo(place, values)) : facts,
      whenFalse: isNarrowing ? knowing(facts, whereabouts, (place) => narrowedFrom(place, values)) : facts,
    };
  }

  function arithmetic(node: ASTNode, operator: ArithmeticOperator, leftNode: ASTNode, rightNode: ASTNode, around: Surroundings): Judged {
    const left = expressionOf(leftNode, around);
    const right = expressionOf(rightNode, around);
    const result = arithmeticOf(operator, left.kinds, right.kinds);
    if (result === undefined) {
      const isMixed = isNumeric(left.kinds) && isNumeric(right.kinds);
      return refuse(
        node,
        `\`${operator}\` does not take ${wordsFor(left.kinds)} and ${wordsFor(right.kinds)}.`,
        isMixed ? "CEL does not mix the two kinds of number: write the literal as `1.0`." : nullGuard(leftNode, left.kinds) ?? nullGuard(rightNode, right.kinds),
      );
    }
    const expression: Expression = { kind: "arithmetic", operator, of: result.of, left: left.expression, right: right.expression };
    return value_(expression, [result.kind], around.facts);
  }

  function bool(node: ASTNode, around: Surroundings): Judged {
    const judged = expressionOf(node, around);
    if (!isOnly(judged.kinds, "bool")) {
      refuse(node, `\`${text(node)}\` is ${wordsFor(judged.kinds)} where true or false is needed.`, nullGuard(node, judged.kinds));
    }
    return judged;
  }

  function textual(node: ASTNode, around: Surroundings): Judged {
    const judged = expressionOf(node, around);
    if (!isOnly(judged.kinds, "string")) {
      refuse(node, `\`${text(node)}\` is ${wordsFor(judged.kinds)} where a text is needed.`, nullGuard(node, judged.kinds));
    }
    return judged;
  }

  function nullGuard(node: ASTNode, kinds: ReadonlySet<ValueKind>): string | undefined {
    return kinds.has("null") && kinds.size > 1 ? `Ask \`${text(node)} != null && …\` first.` : undefined;
  }
}

const IDENTIFIER = /^[A-Za-z_]\w*$/u;

function value_(expression: Expression, kinds: readonly ValueKind[], facts: Facts): Judged {
  return { expression, kinds: new Set(kinds), whenTrue: facts, whenFalse: facts };
}

function fieldWhereabouts(holder: Whereabouts, name: string, place: Place): Whereabouts {
  const token = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return { key: holder.key + token, pointer: holder.pointer + token, place, holder: { whereabouts: holder, name } };
}

/** What is known once `narrow` holds of a place: of the place itself, and of the union that holds it. */
function knowing(facts: Facts, at: Whereabouts, narrow: (place: Place) => Place): Facts {
  const known = withPlace(facts, at.key, narrow(facts.places.get(at.key) ?? at.place));
  if (at.holder === undefined) return known;
  const { whereabouts, name } = at.holder;
  const holder = facts.places.get(whereabouts.key) ?? whereabouts.place;
  return withPlace(known, whereabouts.key, whereMember(holder, name, (member) => narrow(member).alternatives.length > 0));
}

function literalOf({ expression }: Judged): JsonValue | undefined {
  return expression.kind === "literal" ? expression.value : undefined;
}

function isOnly(kinds: ReadonlySet<ValueKind>, ...wanted: readonly ValueKind[]): boolean {
  return kinds.size > 0 && [...kinds].every((kind) => wanted.includes(kind));
}

function isNumeric(kinds: ReadonlySet<ValueKind>): boolean {
  return isOnly(kinds, "int", "double");
}

const COMPOSITE: readonly ValueKind[] = ["list", "map"];

function comparisonOf(left: Judged, right: Judged): "identity" | "value" {
  const isComposite = (judged: Judged): boolean => [...judged.kinds].some((kind) => COMPOSITE.includes(kind));
  return isComposite(left) && isComposite(right) ? "value" : "identity";
}

function arithmeticOf(
  operator: ArithmeticOperator,
  left: ReadonlySet<ValueKind>,
  right: ReadonlySet<ValueKind>,
): { readonly of: ArithmeticDomain; readonly kind: ValueKind } | undefined {
  const are = (first: ValueKind, second: ValueKind): boolean => isOnly(left, first) && isOnly(right, second);
  if (are("int", "int")) return { of: "integer", kind: "int" };
  if (are("double", "double") && operator !== "%") return { of: "double", kind: "double" };
  if (operator === "+" && are("string", "string")) return { of: "text", kind: "string" };
  if (operator !== "+" && operator !== "-") return undefined;
  if (are("duration", "duration")) return { of: "duration", kind: "duration" };
  if (are("timestamp", "duration")) return { of: "timestamp", kind: "timestamp" };
  if (operator === "+" && are("duration", "timestamp")) return { of: "timestamp", kind: "timestamp" };
  if (operator === "-" && are("timestamp", "timestamp")) return { of: "duration", kind: "duration" };
  return undefined;
}

const WORDS: { readonly [kind in ValueKind]: string } = {
  null: "null",
  bool: "true or false",
  int: "an integer",
  double: "a number",
  string: "a text",
  list: "a list",
  map: "an object",
  timestamp: "a timestamp",
  duration: "a duration",
};

function wordsFor(kinds: ReadonlySet<ValueKind>): string {
  if (kinds.size === 0) return "nothing (no valid input gets here)";
  if (kinds.size >= 6) return "of any kind";
  return [...kinds].map((kind) => WORDS[kind]).join(" or ");
}

function accessText(holder: string, name: string): string {
  return IDENTIFIER.test(name) ? `${holder}.${name}` : `${holder}['${name}']`;
}

function suggestion(word: string, known: readonly string[]): string {
  const nearest = closest(word, known);
  return nearest === undefined ? `Allowed: ${ALLOWED}` : `Did you mean \`${nearest}\`?`;
}
