import { createHash } from "node:crypto";
import type { ExchangeKind, Exchanges, ProjectFiles } from "../io/project-files.js";
import type { SourceText } from "../model/document.js";

/** One question that a run asked of the world, and the digest of the answer that it got. */
export interface LoggedQuestion {
  readonly kind: ExchangeKind;
  readonly question: Exchanges[ExchangeKind]["question"];
  readonly digest: string;
}

/** A world that writes down what it is asked. */
export interface LoggedFiles extends ProjectFiles {
  readonly log: readonly LoggedQuestion[];
  /** Texts that came over the network, by address; their digests are pinned, so that they are never asked for again. */
  readonly remotes: Readonly<Record<string, string>>;
  /** Whether all answers would be the same if nothing changed; a network that was down may be up again. */
  isRepeatable(): boolean;
}

/** Wraps a world so that what is asked of it can be asked again. */
export function logged(files: ProjectFiles): LoggedFiles {
  const log: LoggedQuestion[] = [];
  const remotes: Record<string, string> = {};
  let isRepeatable = true;
  return {
    log,
    remotes,
    isRepeatable: () => isRepeatable,
    async ask(kind, question) {
      const answer = await files.ask(kind, question);
      if (kind !== "remote") log.push({ kind, question, digest: digestOf(answer) });
      else if (isText(answer) && answer.unreadable === undefined) remotes[answer.uri] = answer.text;
      else isRepeatable = false;
      return answer;
    },
  };
}

/** Asks everything again. Gives the texts of specs, shared files and ledgers by path, or `undefined` once an answer differs. */
export async function askAgain(
  { log, remotes }: Pick<LoggedFiles, "log" | "remotes">,
  files: ProjectFiles,
): Promise<ReadonlyMap<string, string> | undefined> {
  const texts = new Map(Object.entries(remotes));
  for (const { kind, question, digest } of log) {
    const answer = await files.ask(kind, question);
    if (digestOf(answer) !== digest) return undefined;
    if (isText(answer) && answer.role !== "config") texts.set(answer.uri, answer.text);
  }
  return texts;
}

function digestOf(answer: Exchanges[ExchangeKind]["answer"]): string {
  const hash = createHash("sha256");
  // A long text is digested as it is: as JSON it would first be written out once more.
  if (!isText(answer)) hash.update(JSON.stringify(answer, withMaps) ?? "absent");
  else hash.update(`${answer.role} ${answer.unreadable ?? ""}\0`).update(answer.text);
  return hash.digest("base64url");
}

/** A map says nothing of itself in JSON. */
function withMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value;
}

function isText(answer: Exchanges[ExchangeKind]["answer"]): answer is SourceText {
  return typeof answer === "object" && "role" in answer;
}
