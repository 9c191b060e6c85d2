import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { attempt } from "@hasp/base/diagnostics";
import { toObject } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { readJsonLayout } from "../text/edit-text.js";

interface ModernConfig {
  readonly text: string;
  /** The file of rules that the configuration names now. */
  readonly rules: string | undefined;
}

/**
 * Rewrites a configuration with keys of earlier versions, and keeps its comments; `undefined` if it has none. Its own
 * rules become a file, which it names by `rulesPath`. A key of another form than it had stays.
 */
export function modernizeConfig(text: string, isJson: boolean, rulesPath: string): ModernConfig | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const { insertSpaces, tabSize } = readJsonLayout(text);
  const printed = (each: Document): string =>
    isJson
      ? `${JSON.stringify(each.toJS(), undefined, insertSpaces ? tabSize : "\t")}\n`
      : each.toString({ lineWidth: 0 });
  // An alias may point to what has moved to another place.
  return attempt(() => {
    const moved = modernize(document, rulesPath);
    if (moved === undefined) return undefined;
    const modern = isJson ? printed(document) : withLayout(printed(document), text);
    const [meant, read] = [document, parseDocument(modern)].map((each) => JSON.stringify(each.toJS()));
    return meant === read ? { text: modern, rules: moved.rules && printed(moved.rules) } : undefined;
  });
}

/** Returns the value of a configuration in today's form, and the rules that it declared itself. */
export function modernizeValue(value: JsonValue): { readonly value: JsonValue; readonly rules: JsonValue | undefined } {
  const document = new Document(value);
  const moved: unknown = modernize(document)?.rules?.toJS();
  return { value: document.toJS() as JsonValue, rules: toObject(moved)["rules"] };
}

/** Gives the keys that did not change their layout of before. */
function withLayout(modern: string, before: string): string {
  const [is, was] = [modern, before].map((text) => parseDocument(text).contents);
  if (!isMap(is) || !isMap(was)) return modern;
  return is.items.reduceRight((text, pair) => {
    const earlier = was.items.find((each) => readName(each) === readName(pair));
    const [to, from] = [findRange(pair), earlier && findRange(earlier)];
    const isSame = JSON.stringify(earlier?.toJSON()) === JSON.stringify(pair.toJSON());
    return isSame && to !== undefined && from !== undefined
      ? `${text.slice(0, to[0])}${before.slice(...from)}${text.slice(to[1])}`
      : text;
  }, modern);
}

function findRange({ key, value }: KeyPair): [number, number] | undefined {
  return isNode(key) && isNode(value) && key.range != null && value.range != null
    ? [key.range[0], value.range[1]]
    : undefined;
}

type KeyPair = Pair<unknown, unknown>;

type ToEntries = (item: { readonly [key: string]: JsonValue }) => readonly object[];

interface KeyPlace {
  readonly at: number;
  readonly isSpaced: boolean;
}

/** Moves the old keys of a configuration to their new places; `undefined` if there are none. */
function modernize(document: Document, rulesPath?: string): { readonly rules: Document | undefined } | undefined {
  const { contents: root } = document;
  if (!isMap(root)) return undefined;
  let changes = 0;
  const take = (key: string, hasForm: (value: unknown) => boolean): KeyPair | undefined => {
    const index = root.items.findIndex((pair) => readName(pair) === key && hasForm(pair.value));
    if (index === -1) return undefined;
    changes += 1;
    return root.items.splice(index, 1)[0];
  };
  /** Finds the first of some keys, in whose place another can be put with the empty line above it. */
  const findPlace = (...keys: readonly string[]): KeyPlace => {
    const at = root.items.findIndex((pair) => keys.some((key) => key === readName(pair)));
    const key = root.items[at]?.key;
    return { at: at === -1 ? root.items.length : at, isSpaced: isNode(key) && key.spaceBefore === true };
  };
  const insert = <Kind>(name: string, { at, isSpaced }: KeyPlace, made: Kind): Kind => {
    const key = Object.assign(new Scalar(name), { spaceBefore: isSpaced });
    root.items.splice(at, 0, new Pair(key, made) as (typeof root.items)[0]);
    return made;
  };
  const listUnder = (key: string, place: KeyPlace): YAMLSeq => {
    const found: unknown = root.get(key, true);
    return isSeq(found) ? found : insert(key, place, new YAMLSeq());
  };

  const place = findPlace("rules", "overrides", "ignore", "exclude");
  /** Makes entries of the items of an old key. */
  const convert = (key: string, hasForm: (value: unknown) => boolean, toEntries: ToEntries): readonly YAMLMap[] => {
    const pair = take(key, hasForm);
    const { items }: { readonly items: readonly unknown[] } = isCollection(pair?.value) ? pair.value : { items: [] };
    const entries = items.flatMap((item) => {
      if (!isPair(item) && !isMap(item)) return [];
      const comment = takeComment(isPair(item) ? item.value : item);
      const commentBefore = commentsIn(item);
      const made = toEntries(item.toJSON() as never).map(
        (entry) => document.createNode(entry, { flow: true }) as YAMLMap,
      );
      if (made[0] !== undefined) Object.assign(made[0], { comment, commentBefore });
      return made;
    });
    const [first] = entries;
    if (first !== undefined && pair !== undefined) {
      first.commentBefore = [commentsAround(pair), first.commentBefore].filter(Boolean).join("\n");
    }
    return entries;
  };
  const entries = [
    ...convert("rules", isMap, (rules) => Object.entries(rules).map(([rule, severity]) => ({ rule, severity }))),
    ...convert("overrides", hasItemsWith("path", "rules"), ({ path, rules }) =>
      Object.entries(toObject(rules)).map(([rule, severity]) => ({ in: path, rule, severity })),
    ),
    ...convert("ignore", hasItemsWith("rule", "path", "reason"), ({ rule, path, reason }) => [
      { in: path, rule, reason },
    ]),
    ...convert("exclude", hasItemsWith("tool", "reason"), ({ tool, reason }) => [
      { in: tool, severity: "exclude", reason },
    ]),
  ];
  if (entries.length > 0) listUnder("findings", place).items.unshift(...entries);

  for (const key of ["importExtension", "jsonLists", "declarations"]) {
    const from = findPlace(key);
    const pair = take(key, isScalar);
    if (pair === undefined) continue;
    const found: unknown = root.get("emit", true);
    const emit = isMap(found) ? found : insert("emit", from, createFlowMap());
    emit.items.push(Object.assign(pair, { key: withComments(new Scalar(key), pair.key) }));
    if (commentsIn(pair) !== "") emit.flow = false;
  }

  const test = take("testContext", isScalar);
  if (test !== undefined) {
    const type = root.get("context", true);
    const context = isMap(type) ? type : createFlowMap();
    if (!isMap(type) && type !== undefined) context.items.push(new Pair(new Scalar("type"), type));
    test.key = withComments(new Scalar("test"), test.key);
    context.items.push(test);
    if (commentsIn(context) !== "") context.flow = false;
    root.set("context", context);
  }

  const from = findPlace("customRules");
  const custom = take("customRules", isMap);
  let rules: Document | undefined;
  if (custom !== undefined) {
    if (rulesPath !== undefined) listUnder("plugins", from).items.push(new Scalar(rulesPath));
    custom.key = withComments(new Scalar("rules"), custom.key);
    rules = new Document({});
    if (isMap(rules.contents)) rules.contents = Object.assign(new YAMLMap(), { items: [custom] });
  }
  return changes === 0 ? undefined : { rules };
}

/** Recognizes a list of maps with exactly these keys. */
function hasItemsWith(...keys: readonly string[]): (value: unknown) => boolean {
  return (value) =>
    isSeq(value) &&
    value.items.every((item) => isMap(item) && item.items.length === keys.length && keys.every((key) => item.has(key)));
}

function createFlowMap(): YAMLMap {
  const map = new YAMLMap();
  map.flow = true;
  return map;
}

/** Takes the comment on the line of a node. */
function takeComment(node: unknown): string | null {
  const { comment } = isNode(node) ? node : {};
  if (!isNode(node) || typeof comment !== "string" || comment.includes("\n")) return null;
  node.comment = null;
  return comment;
}

function readName({ key }: KeyPair): unknown {
  return isScalar(key) ? key.value : key;
}

function withComments(to: Scalar, from: unknown): Scalar {
  if (isNode(from)) to.commentBefore = from.commentBefore ?? null;
  return to;
}

/** Reads the comments of a key and of what is around the items under it. */
function commentsAround({ key, value }: KeyPair): string {
  return [key, value]
    .flatMap((node) => (isNode(node) ? [node.commentBefore, node.comment] : []))
    .filter(Boolean)
    .join("\n");
}

/** Reads all comments in a part of a document, from top to bottom. */
export function commentsIn(part: YAMLMap | KeyPair): string {
  const comments: string[] = [];
  const holder = isPair(part) ? Object.assign(new YAMLMap(), { items: [part] }) : part;
  visit(holder, {
    Node: (_key, node) => {
      for (const text of [node.commentBefore, node.comment]) if (typeof text === "string") comments.push(text);
    },
  });
  return comments.join("\n");
}
