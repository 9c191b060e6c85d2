import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceText } from "../../model/document.js";
import {
  type AnyAnswer,
  asked,
  type AskedQuestion,
  type ExchangeKind,
  type Exchanges,
  isTextAnswer,
  projectFiles,
  type ProjectFiles,
} from "../project/project-files.js";

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
    { readonly kind: ExchangeKind; readonly path: string | undefined; readonly answer: AnyAnswer }
  >();
  const texts = new Map<string, SourceText>();
  const folders = new Set<string>();
  let patterns: readonly string[] = [];
  const note = ({ kind, question }: AskedQuestion, answer: AnyAnswer): void => {
    if (kind === "text") folders.add(dirname(question.uri));
    if (kind === "module") folders.add(dirname(question));
    if (kind === "folder") folders.add(question.folder);
    if (kind === "specs") ({ patterns } = question);
    if (isTextAnswer(answer)) texts.set(textKey(answer), answer);
  };
  return {
    async ask(kind, question) {
      const asking = asked(kind, question);
      const key = keyOf(asking);
      const known = answers.get(key);
      // The kind is part of the key, so that what is known answers a question of this kind.
      if (known !== undefined) return known.answer as Exchanges[typeof kind]["answer"];
      const previous = asking.kind === "text" ? texts.get(textKey(asking.question)) : undefined;
      const answer = await projectFiles(root, previous === undefined ? [] : [previous]).ask(kind, question);
      note(asking, answer);
      const path = asking.kind === "text" ? asking.question.uri : undefined;
      if (holds(root, kind, answer)) answers.set(key, { kind, path, answer });
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
function keyOf({ kind, question }: AskedQuestion): string {
  return `${kind} ${kind === "text" ? textKey(question) : JSON.stringify(question)}`;
}

function textKey({ uri, role }: Pick<SourceText, "uri" | "role">): string {
  return `${role} ${uri}`;
}

/** Whether an answer holds until an event says otherwise. What a link leads to changes where nobody watches. */
function holds(root: string, kind: ExchangeKind, answer: AnyAnswer): boolean {
  if (kind === "text") {
    return (
      answer === undefined ||
      (isTextAnswer(answer) && answer.unreadable === undefined && !isBehindLink(root, answer.uri))
    );
  }
  if (kind === "remote") return isTextAnswer(answer) && answer.unreadable === undefined;
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
