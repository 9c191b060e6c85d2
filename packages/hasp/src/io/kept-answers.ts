import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceText } from "../model/document.js";
import { projectFiles, type ExchangeKind, type Exchanges, type ProjectFiles } from "./project-files.js";

type Answer = Exchanges[ExchangeKind]["answer"];

/** A world whose answers hold until it is told that they may not: for who is told of every change. */
export interface KeptAnswers extends ProjectFiles {
  /** What stands at this path, or below it, may be another text now. */
  forgetTexts(path: string): void;
  /** Entries came or went: what is there is found again. */
  forgetListings(): void;
  forgetAll(): void;
  /** Folders whose entries decide the answers so far, relative to the root. */
  folders(): ReadonlySet<string>;
  /** The patterns in which specs were looked for. */
  patterns(): readonly string[];
}

/** Questions whose answer changes with what entries there are. The day and the plan are asked for each time. */
const LISTINGS: ReadonlySet<ExchangeKind> = new Set(["root", "present", "specs", "folder"]);

/**
 * Keeps the answers about a project. A text that comes back the same is the same object, so that nothing is parsed
 * twice.
 */
export function keepAnswers(root: string): KeptAnswers {
  const answers = new Map<
    string,
    { readonly kind: ExchangeKind; readonly path: string | undefined; readonly answer: Answer }
  >();
  const texts = new Map<string, SourceText>();
  const folders = new Set<string>();
  let patterns: readonly string[] = [];
  const note = (kind: ExchangeKind, question: Exchanges[ExchangeKind]["question"], answer: Answer): void => {
    if (kind === "text") folders.add(dirname((question as Exchanges["text"]["question"]).uri));
    if (kind === "module") folders.add(dirname(question as Exchanges["module"]["question"]));
    if (kind === "folder") folders.add((question as Exchanges["folder"]["question"]).folder);
    if (kind === "specs") ({ patterns } = question as Exchanges["specs"]["question"]);
    if (isText(answer)) texts.set(`${answer.role} ${answer.uri}`, answer);
  };
  return {
    async ask(kind, question) {
      const key = keyOf(kind, question);
      const known = answers.get(key);
      // The kind is part of the key, so that what is known answers a question of this kind.
      if (known !== undefined) return known.answer as Exchanges[typeof kind]["answer"];
      const answer = await projectFiles(root, [...previousFor(kind, question, texts)]).ask(kind, question);
      note(kind, question, answer);
      if (holds(root, kind, answer)) answers.set(key, { kind, path: pathOf(kind, question), answer });
      return answer;
    },
    forgetTexts(path) {
      for (const [key, { path: own }] of answers) {
        if (own === path || own?.startsWith(`${path}/`) === true) answers.delete(key);
      }
    },
    forgetListings() {
      for (const [key, { kind }] of answers) if (LISTINGS.has(kind)) answers.delete(key);
    },
    forgetAll: () => answers.clear(),
    folders: () => folders,
    patterns: () => patterns,
  };
}

/** What a question asks, as a text. Most ask for the text of a file. */
function keyOf(kind: ExchangeKind, question: Exchanges[ExchangeKind]["question"]): string {
  if (kind !== "text") return `${kind} ${JSON.stringify(question)}`;
  const { uri, role } = question as Exchanges["text"]["question"];
  return `${kind} ${role} ${uri}`;
}

/** The file of which a question asks. */
function pathOf(kind: ExchangeKind, question: Exchanges[ExchangeKind]["question"]): string | undefined {
  return kind === "text" ? (question as Exchanges["text"]["question"]).uri : undefined;
}

function* previousFor(
  kind: ExchangeKind,
  question: Exchanges[ExchangeKind]["question"],
  texts: ReadonlyMap<string, SourceText>,
): Iterable<SourceText> {
  if (kind !== "text") return;
  const { uri, role } = question as Exchanges["text"]["question"];
  const text = texts.get(`${role} ${uri}`);
  if (text !== undefined) yield text;
}

/** Whether an answer holds until an event says otherwise. What a link leads to changes where nobody watches. */
function holds(root: string, kind: ExchangeKind, answer: Answer): boolean {
  if (kind === "text") {
    return (
      answer === undefined || (isText(answer) && answer.unreadable === undefined && !isBehindLink(root, answer.uri))
    );
  }
  if (kind === "remote") return isText(answer) && answer.unreadable === undefined;
  // A handler may lie behind a link, too; it is small, and few are asked for.
  return LISTINGS.has(kind);
}

function isBehindLink(root: string, uri: string): boolean {
  try {
    return realpathSync.native(join(root, uri)) !== join(realpathSync.native(root), uri);
  } catch {
    return true;
  }
}

function isText(answer: Answer): answer is SourceText {
  return typeof answer === "object" && "role" in answer;
}
