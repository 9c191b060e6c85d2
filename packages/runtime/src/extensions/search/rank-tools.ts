import { walkSchema } from "@hasp/schema/vocabulary";
import type { AnyTool } from "../../tool/definition.js";

/** Finds the tools that fit a query, best first. Tools that share only a common word with it do not fit. */
export type ToolRanking = (query: string) => readonly AnyTool[];

/** The fields of a tool and the weight of a word in each. */
const WEIGHTS = { name: 8, title: 5, hint: 4, description: 1.5, parameters: 1 } as const;

type RankedField = keyof typeof WEIGHTS;

/** The share of a query's words, weighted by rarity, that a tool must have. */
const LEAST_COVERAGE = 0.5;

/** The weight of a word that no tool has, relative to the rarest word that some tool has. */
const UNKNOWN = 0.9;

const SYNONYM = 0.7;

/** The weight of a word that begins with a word of the query. */
const PREFIX = 0.5;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about all am an and any are as at be by can do does for from give has have how i in into is it its me my new of on one " +
    "or our please several some somebody something tell that the their them then there these they this to us was we what " +
    "when where which who whole will with would you your"
  ).split(" "),
);

/** Synonyms by their stems. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["delet", "remov", "drop", "eras"],
  ["creat", "add", "mak", "open", "start"],
  ["updat", "edit", "chang", "modify", "set", "renam", "replac"],
  ["get", "fetch", "read", "view", "look", "retriev", "find", "see"],
  ["search", "find", "query"],
  ["send", "post", "publish"],
  ["cancel", "stop", "abort", "delet"],
  ["list", "show"],
  ["run", "trigger", "dispatch", "start"],
  ["repo", "repository"],
  ["pr", "pull"],
  ["organizat", "org", "organisat"],
];

/** Limits the tools that are also ranked by their names and titles. */
const MOST_RANKED = 100;

interface IndexedTool {
  readonly tool: AnyTool;
  /** The weight of each word in this tool. */
  readonly words: ReadonlyMap<string, number>;
  /** The distinctive words of its name, and those of its title: a query that has all of one means the tool. */
  readonly callings: readonly ReadonlySet<string>[];
  /** The words by which a tool introduces itself: of name, title, hint and tags. */
  readonly shown: ReadonlySet<string>;
}

/** Indexes tools by name, title, hint, tags, description, and the names and descriptions of all parameters. */
export function createRanking(tools: readonly AnyTool[]): ToolRanking {
  const indexed = tools.map(indexTool);
  const named = new Map<string, AnyTool[]>();
  for (const tool of tools) {
    for (const name of new Set([tool.name, ...tool.aliases].map((each) => each.toLowerCase()))) {
      named.set(name, [...(named.get(name) ?? []), tool]);
    }
  }
  const holders = new Map<string, IndexedTool[]>();
  for (const each of indexed) {
    for (const word of each.words.keys()) {
      const held = holders.get(word);
      if (held === undefined) holders.set(word, [each]);
      else held.push(each);
    }
  }
  const rarityOf = (word: string): number => {
    const count = holders.get(word)?.length ?? 0;
    return Math.log(1 + (tools.length + 1) / (count + 0.5)) * (count === 0 ? UNKNOWN : 1);
  };

  /** Returns the words that begin with a word that no tool has. */
  const beginningWith = (word: string): ReturnType<typeof alternativesOf> =>
    word.length < 4 || holders.has(word)
      ? []
      : [...holders.keys()].filter((other) => other.startsWith(word)).map((other) => ({ other, factor: PREFIX }));

  return (query) => {
    const exact = named.get(query.trim().toLowerCase()) ?? [];
    const words = meaningfulWords(query);
    const total = words.reduce((sum, word) => sum + rarityOf(word), 0);
    const found = new Map<IndexedTool, { score: number; covered: number; isShown: boolean; words: string[] }>();
    for (const word of words) {
      const rarity = rarityOf(word);
      const best = new Map<IndexedTool, { readonly other: string; readonly factor: number }>();
      for (const { other, factor } of [...alternativesOf(word), ...beginningWith(word)]) {
        for (const holder of holders.get(other) ?? []) if (!best.has(holder)) best.set(holder, { other, factor });
      }
      for (const [holder, { other, factor }] of best) {
        const sofar = found.get(holder) ?? { score: 0, covered: 0, isShown: false, words: [] };
        sofar.score += factor * rarity * (holder.words.get(other) ?? 0);
        sofar.covered += rarity;
        sofar.isShown ||= holder.shown.has(other);
        sofar.words.push(other);
        found.set(holder, sofar);
      }
    }
    const fitting = [...found]
      .filter(([, { covered, isShown }]) => (isShown ? covered >= LEAST_COVERAGE * total : covered > 0.99 * total))
      .map(([each, { score, covered, words: matched }]) => ({ each, matched, score: score * (covered / total) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_RANKED);
    const ranked = fitting
      .map(({ each: { tool, callings }, matched, score }) => {
        const called = callings.map(
          (calling) => [...calling].filter((word) => matched.includes(word)).length / (calling.size || 1),
        );
        return { tool, score: score * (0.5 + 0.5 * Math.max(...called)) };
      })
      .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
      .map(({ tool }) => tool);
    return [...new Set([...exact, ...ranked])];
  };
}

function indexTool(tool: AnyTool): IndexedTool {
  const { name, aliases, title, searchHint, tags, description } = tool;
  const texts: { readonly [Part in RankedField]: readonly string[] } = {
    name: [name, ...aliases],
    title: [title ?? ""],
    hint: [searchHint ?? "", ...tags],
    description: [description],
    parameters: parameterTexts(tool),
  };
  const words = new Map<string, number>();
  for (const [field, parts] of Object.entries(texts)) {
    const counts = new Map<string, number>();
    for (const word of parts.flatMap(stems)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      // Each repetition counts less.
      words.set(word, (words.get(word) ?? 0) + WEIGHTS[field as RankedField] * (count / (count + 1)));
    }
  }
  const callings = [name, title ?? name].map(
    (text) => new Set(meaningfulWords(text).filter((word) => word !== "list")),
  );
  return { tool, words, callings, shown: new Set([...texts.name, ...texts.title, ...texts.hint].flatMap(stems)) };
}

function parameterTexts({ input }: AnyTool): readonly string[] {
  const texts: string[] = [];
  walkSchema(input, ({ schema }) => {
    if (typeof schema !== "object") return;
    texts.push(...Object.keys(schema.properties ?? {}), schema.description ?? "");
  });
  return texts;
}

function alternativesOf(word: string): readonly { readonly other: string; readonly factor: number }[] {
  const others = new Set(SYNONYMS.flatMap((group) => (group.includes(word) ? group : [])));
  others.delete(word);
  return [{ other: word, factor: 1 }, ...[...others].map((other) => ({ other, factor: SYNONYM }))];
}

/** Returns the distinct words of a text that tell tools apart. */
function meaningfulWords(query: string): readonly string[] {
  const all = [...new Set(stems(query))];
  return all.filter((word) => !STOP_WORDS.has(word));
}

/** Splits a text into the stems of its words: `createdIssues` has those of "create" and "issue". */
function stems(text: string): readonly string[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu);
  return (words ?? []).map(stem);
}

function stem(word: string): string {
  if (word.length < 4 || STOP_WORDS.has(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const root = singular
    .replace(/(..[^aeiou]|..ee)(?:ing|ed)$/, "$1")
    .replace(/ation$/, "at")
    .replace(/(.{6})er$/, "$1");
  return root.length > 4 ? root.replace(/e$/, "") : root.replace(/^(mak|us)e$/, "$1");
}
