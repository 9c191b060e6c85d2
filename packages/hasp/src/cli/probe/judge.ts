import type { JsonValue } from "@hasp/schema";
import type { DialectFact, ToolList } from "@hasp/schema/probe";
import { findValueAt, dropUndefined } from "@hasp/base/json";

/** A server's answer to a tool list. `none`: it neither took nor refused the list. */
export type ListAnswer =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };

/** Sends a tool list; `"none"` stands in for one that no server can take. */
export type Ask = (tools: ToolList | "none") => Promise<ListAnswer>;

export interface Judgement {
  readonly fact: DialectFact;
  readonly verdict: "holds" | "changed" | "not judged";
  /** The reason, unless it holds. */
  readonly reason?: string;
  /** True if a question got no answer. */
  readonly isUnanswered?: true;
  /** The new value, if the answers show one; null if the member goes. */
  readonly next?: JsonValue;
}

/** An operation of JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: "test" | "replace" | "add" | "remove";
  readonly path: string;
  readonly value?: JsonValue;
}

/** A server that is silent this often in a row is not asked again. */
const MOST_SILENT = 3;

export interface Judgements {
  readonly judgements: readonly Judgement[];
  /** True if each question was answered, and the plain list still taken at the end. */
  readonly isComplete: boolean;
}

/**
 * Asks about each fact, one list after another. Returns the problem if the answers could prove nothing: the server must
 * take the plain list, before and after, and refuse what is not a list.
 */
export async function judgeFacts(
  facts: readonly DialectFact[],
  plain: ToolList,
  ask: Ask,
  onProgress: (done: number) => void,
): Promise<{ readonly problem: string } | Judgements> {
  const first = await ask(plain);
  if (first.kind !== "taken") return { problem: `the server does not take a plain list: ${first.reason}` };
  if ((await ask("none")).kind === "taken") return { problem: "the server takes anything, even what is not a list" };
  const judgements: Judgement[] = [];
  let silent = 0;
  const counted: Ask = async (tools) => {
    if (silent >= MOST_SILENT) return { kind: "none", reason: "not asked, since the server stopped answering" };
    const answer = await ask(tools);
    silent = answer.kind === "none" ? silent + 1 : 0;
    return answer;
  };
  for (const fact of facts) {
    judgements.push(await judge(fact, counted));
    onProgress(judgements.length);
  }
  const last = await counted(plain);
  if (last.kind !== "refused") {
    return {
      judgements,
      isComplete: last.kind === "taken" && judgements.every(({ isUnanswered }) => isUnanswered !== true),
    };
  }
  return { problem: `by the end, the server refuses the plain list, too: ${last.reason}` };
}

async function judge(fact: DialectFact, ask: Ask): Promise<Judgement> {
  const { keeps, breaks, limit, mayIgnore = false, otherwise, unprobed } = fact;
  const unjudged = (reason: string): Judgement => ({ fact, verdict: "not judged", reason });
  const unanswered = (reason: string): Judgement => ({ ...unjudged(reason), isUnanswered: true });
  if (unprobed !== undefined) return unjudged(unprobed);
  const changed = (reason: string, next = otherwise): Judgement => ({
    fact,
    verdict: "changed",
    reason,
    ...dropUndefined({ next }),
  });
  for (const list of keeps) {
    const answer = await ask(list);
    if (answer.kind === "none") return unanswered(answer.reason);
    if (answer.kind === "refused") {
      // Two lists hold one field each. If either is refused, the list of both shows nothing.
      if (keeps.length > 1) return unjudged(`one of the fields alone is refused: ${answer.reason}`);
      return changed(`it is refused: ${answer.reason}`, limit && (await findSize(limit.ofSize, 0, limit.size, ask)));
    }
  }
  if (breaks === undefined) return { fact, verdict: "holds" };
  const answer = await ask(breaks);
  if (answer.kind === "none") return unanswered(answer.reason);
  if (answer.kind === "refused") return { fact, verdict: "holds" };
  if (mayIgnore) return unjudged("the server takes it, but may ignore it");
  return changed(
    "the server takes what breaks it",
    limit && (await findSize(limit.ofSize, limit.size + 1, undefined, ask)),
  );
}

/** Looks for the largest size that is taken, up to four times the known one. `undefined` if an answer is missing. */
async function findSize(
  ofSize: (size: number) => ToolList,
  taken: number,
  refused: number | undefined,
  ask: Ask,
): Promise<number | undefined> {
  let low = taken;
  let high = refused ?? (taken - 1) * 4 + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const { kind } = await ask(ofSize(middle));
    if (kind === "none") return undefined;
    if (kind === "taken") low = middle;
    else high = middle;
  }
  return low === 0 ? undefined : low;
}

/** Writes what has changed as a patch for the dialect's table, with the day of the run if there is one to state. */
export function patchTable(
  table: unknown,
  judgements: readonly Judgement[],
  today: string | undefined,
): readonly PatchOperation[] {
  // From the end, since what is removed from a list moves the items after it.
  const changes = judgements.toReversed().flatMap(({ fact: { at: path }, next }): readonly PatchOperation[] => {
    if (next === undefined) return [];
    const before: PatchOperation = { op: "test", path, value: findValueAt(table as JsonValue, path) ?? null };
    return [before, next === null ? { op: "remove", path } : { op: "replace", path, value: next }];
  });
  return today === undefined ? changes : [...changes, { op: "add", path: "/checkedOn", value: today }];
}
