import { createHash } from "node:crypto";
import type { FileStamp, FileStamps } from "../host/fs/file-stamps.js";
import {
  type AnyAnswer,
  asked,
  type AskedQuestion,
  isTextAnswer,
  type ProjectFiles,
} from "../host/project/project-files.js";

/** One question that a run asked of the world, and the digest of the answer that it got. */
export type LoggedQuestion = AskedQuestion & {
  readonly digest: string;
  /** Of the file that the answer comes from: as long as it has this stamp, the answer is the same. */
  readonly stamp?: FileStamp;
};

/** What a run asked, so that it can be asked again. */
export interface QuestionLog {
  readonly log: readonly LoggedQuestion[];
  /** Texts that came over the network, by address; their digests are pinned, so that they are never asked for again. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** A world that writes down what it is asked. */
export interface LoggedFiles extends ProjectFiles, QuestionLog {
  /** Whether all answers would be the same if nothing changed; a network that was down may be up again. */
  isRepeatable(): boolean;
}

/**
 * Wraps a world so that what is asked of it can be asked again. With `stamps`, files need not be read again for that.
 */
export function logged(files: ProjectFiles, stamps?: FileStamps): LoggedFiles {
  const log: LoggedQuestion[] = [];
  const remotes: Record<string, string> = {};
  let isRepeatable = true;
  return {
    log,
    remotes,
    isRepeatable: () => isRepeatable,
    async ask(kind, question) {
      const answer = await files.ask(kind, question);
      if (kind !== "remote") log.push(entryOf(asked(kind, question), answer, stamps));
      else if (isTextAnswer(answer) && answer.unreadable === undefined) remotes[answer.uri] = answer.text;
      else isRepeatable = false;
      return answer;
    },
  };
}

function entryOf(asking: AskedQuestion, answer: AnyAnswer, stamps: FileStamps | undefined): LoggedQuestion {
  const path = answer === undefined ? undefined : fileOf(asking);
  const stamp = path === undefined ? undefined : stamps?.of(path);
  return { ...asking, digest: digestOf(answer), ...(stamp === undefined ? {} : { stamp }) };
}

/** The file on whose content alone the answer rests, if there is one. */
function fileOf({ kind, question }: AskedQuestion): string | undefined {
  if (kind === "text") return question.uri;
  return kind === "module" ? question : undefined;
}

/** The same questions with the same answers. */
export interface SameAnswers extends QuestionLog {
  /** Texts of specs, shared files and ledgers that were read for this, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Such files that need not be read, since they are unchanged. */
  readonly unread: readonly string[];
  /** Whether a file was read and will not have to be the next time. */
  readonly hasNewStamps: boolean;
}

/**
 * Asks everything again, and gives what was learnt by that; `undefined` once an answer differs. With `stamps`, a file
 * that is known to be unchanged is not read.
 */
export async function askAgain(
  { log, remotes }: QuestionLog,
  files: ProjectFiles,
  stamps?: FileStamps,
): Promise<SameAnswers | undefined> {
  const texts = new Map(Object.entries(remotes));
  const unread: string[] = [];
  const again: LoggedQuestion[] = [];
  let hasNewStamps = false;
  for (const entry of log) {
    const path = fileOf(entry);
    if (path !== undefined && stamps?.isUnchanged(path, entry.stamp) === true) {
      again.push(entry);
      if (entry.kind === "text" && entry.question.role !== "config") unread.push(path);
      continue;
    }
    const answer = await files.ask(entry.kind, entry.question);
    const now = entryOf(asked(entry.kind, entry.question), answer, stamps);
    if (now.digest !== entry.digest) return undefined;
    if (isTextAnswer(answer) && answer.role !== "config") texts.set(answer.uri, answer.text);
    if (now.stamp !== undefined) hasNewStamps = true;
    again.push(now);
  }
  return { log: again, remotes, texts, unread, hasNewStamps };
}

function digestOf(answer: AnyAnswer): string {
  const hash = createHash("sha256");
  // A long text is digested as it is: as JSON it would first be written out once more.
  if (!isTextAnswer(answer)) hash.update(JSON.stringify(answer, withMaps) ?? "absent");
  else hash.update(`${answer.role} ${answer.unreadable ?? ""}\0`).update(answer.text);
  return hash.digest("base64url");
}

/** A map says nothing of itself in JSON. */
function withMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value;
}
