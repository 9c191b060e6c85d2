import { copyJson, refuseRounded } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { quotingRefusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { isThenable } from "../../tool/callback.js";
import { SECRET } from "../../tool/secrets.js";
import type { Permissions } from "../permissions/permission-types.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import { type Case, createPermissionRequest, createShownRequest, reportProblem } from "../state/call-state.js";
import { denied } from "./permission.js";
import { explainFailure, leaveOutQuotes } from "./quoted-secrets.js";

const MOST_NAMED = 5;

/**
 * Returns the members of an answer. Throws a `TypeError` for unknown ones: a member that is misspelt, or meant for
 * another library, must not pass for consent. `start` begins the message.
 */
export function readMembers<Known extends string>(
  answer: object,
  known: readonly Known[],
  start: string,
): { readonly [Member in Known]?: unknown } {
  const unknown = Object.keys(answer).filter((name) => !known.some((each) => each === name));
  if (unknown.length === 0) return answer;
  const said = unknown.slice(0, MOST_NAMED).map((name) => `\`${name.slice(0, 80)}\``);
  throw new TypeError(`${start} unknown members: ${said.join(", ")}; known are ${known.join(", ")}`);
}

/** Asks the tool's own `permit`, which can only tighten: its `allow` is not a vote. */
export async function applyPermit(about: Case, permit: PermissionFunction): Promise<void> {
  const { call } = about;
  const { decision, reason: said } = await answerOf(about, "permit", permit, about.engine.hookTimeoutMs);
  const reason = leaveOutQuotes(about, said);
  if (decision === "allow") return;
  if (decision !== "ask") {
    const words = reason ?? `${call.toolName} refuses this call.`;
    throw said === undefined ? denied(words) : quotingRefusal("permission/denied", { reason: words });
  }
  call.votes = { ...call.votes, permit: { reason } };
}

export type PermissionFunction = NonNullable<Permissions["check"] | Permissions["ask"]>;

export interface CheckedAnswer {
  readonly decision: unknown;
  readonly reason?: string | undefined;
  readonly remember?: "turn" | "session" | undefined;
  /** Present if the call is allowed with this input. */
  readonly changed?: { readonly input: JsonValue } | undefined;
}

/** The answers of each permission function. */
const ANSWERS = {
  permit: { decisions: ["allow", "deny", "ask"], members: ["decision", "reason"] },
  check: { decisions: ["allow", "deny", "ask"], members: ["decision", "reason", "input"] },
  ask: { decisions: ["allow", "deny", "later"], members: ["decision", "reason", "remember", "input"] },
} as const;

/** Returns the answer of a permission function. A throw, a timeout and a malformed answer are a denial, and a problem. */
export async function answerOf(
  about: Case,
  name: keyof typeof ANSWERS,
  ask: PermissionFunction,
  milliseconds: number,
): Promise<CheckedAnswer> {
  const { engine, turn, call } = about;
  try {
    const request = name === "ask" ? createShownRequest(about) : createPermissionRequest(about);
    const given: unknown = ask(request);
    const answer = toAnswer(isThenable(given) ? await withTimeout(given, { turn, milliseconds }) : given, name);
    if (request.hidden !== undefined && JSON.stringify(answer.changed)?.includes(SECRET)) {
      throw new TypeError(
        `\`input\` has ${SECRET}, which only stands for a part that was hidden. Fill that part in, or leave \`input\` out`,
      );
    }
    return answer;
  } catch (error) {
    call.request?.withdraw(new Error(messageOf(error)));
    if (error instanceof Stopped) throw error;
    const words = explainFailure(about, messageOf(error));
    const reason = `Permission could not be decided, so the call is refused: ${words}`;
    reportProblem(engine, call, "permission-failed", reason);
    return { decision: "deny", reason };
  }
}

function toAnswer(answer: unknown, name: keyof typeof ANSWERS): CheckedAnswer {
  const { decisions, members } = ANSWERS[name];
  const isMembers = typeof answer === "object" && answer !== null;
  const parts: { readonly [part in (typeof ANSWERS)["ask"]["members"][number]]?: unknown } = isMembers
    ? readMembers(answer, members, `\`${name}\` answered`)
    : { decision: answer };
  const { decision, reason, remember, input } = parts;
  if (!decisions.some((each) => each === decision)) {
    throw new TypeError(`\`${name}\` must answer one of ${decisions.join(", ")}, not ${String(decision)}`);
  }
  if (reason !== undefined && typeof reason !== "string") throw new TypeError("`reason` must be a string");
  if (remember !== undefined && remember !== "turn" && remember !== "session") {
    throw new TypeError('`remember` must be "turn" or "session"');
  }
  if (input !== undefined && decision !== "allow") throw new TypeError('`input` needs the decision "allow"');
  return { decision, reason, remember, ...(input !== undefined && { changed: { input: toJson(input) } }) };
}

function toJson(input: unknown): JsonValue {
  try {
    return copyJson(input, refuseRounded);
  } catch (error) {
    throw new TypeError(`\`input\` cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
