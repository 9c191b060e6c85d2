import type { JsonValue } from "@hasp/base/json";
import { presentQuestion } from "@hasp/runtime";
import type { AnswerOutcome, Question, StoredTurns } from "@hasp/runtime/call-store";
import { messageOf, readProperty, withTimeout } from "@hasp/runtime/internal";
import { InvalidAnswer } from "../durable/answer-question.js";
import { readText } from "@hasp/base/declared";
import { notice, type Page, createPageResponse, renderQuestionPage } from "./answer-page.js";
import { type AnswerGrant, type AnswerSecret, openGrant, readSecretBytes } from "./answer-link.js";

export interface AnswerHandlerOptions {
  /** Keeps the questions and answers them: `dispatcher.use(durable)`. The `mayAnswer` of `durableCalls` applies. */
  readonly turns: Pick<StoredTurns, "answer" | "store">;
  readonly secret: AnswerSecret;
  /**
   * Returns the person signed in on the host's site. A link then works only for the person that it names. If this
   * throws, hangs or returns no string, nobody is signed in. Without it, links that a model reads do not work.
   */
  readonly signedIn?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined;
  /** The longest time of `signedIn`, of the store and of an answer. Default 60 000. */
  readonly timeoutMs?: number | undefined;
}

const MOST_BODY_BYTES = 64 * 1024;

/**
 * Creates the handler of the pages to which links of `createAnswerLink` lead, for every platform whose servers take a
 * `Request` and return a `Response`. GET shows the question and decides nothing; POST, sent by the form of that page,
 * decides. Never rejects because of a request or the store. Throws a `TypeError` for a secret that is too short.
 */
export function createAnswerHandler(options: AnswerHandlerOptions): (request: Request) => Promise<Response> {
  readSecretBytes(options.secret);
  return async (request) => {
    const { method } = request;
    if (method !== "GET" && method !== "HEAD" && method !== "POST") {
      return createPageResponse(notice(405, "Not possible", "This address accepts only GET and POST."), {
        allow: "GET, HEAD, POST",
      });
    }
    try {
      return createPageResponse(await pageFor(options, request));
    } catch {
      // The reader must not see the store's error.
      return createPageResponse(notice(503, "Not now", "The question cannot be read at the moment. Try again later."));
    }
  };
}

const INVALID: Page = notice(403, "This link does not work", "It is incomplete, was changed, or has expired.");
const NOT_YOURS: Page = notice(403, "This link is not yours", "Sign in as the person to whom it was sent.");
const NEEDS_SIGN_IN: Page = notice(
  403,
  "This link needs a sign-in",
  "A model has read this link and could use it, but nobody can sign in here. Answer in another way, such as by `hasp calls answer`.",
);

async function pageFor(options: AnswerHandlerOptions, request: Request): Promise<Page> {
  const { turns, secret, timeoutMs = 60_000 } = options;
  const grant = await openGrant(new URL(request.url).searchParams.get("answer") ?? "", secret);
  if (grant === undefined) return INVALID;
  if (options.signedIn === undefined && grant.isShownToModel === true) return NEEDS_SIGN_IN;
  if (options.signedIn !== undefined && !(await isSignedIn(options, request, grant))) return NOT_YOURS;
  const [question] = await withTimeout(turns.store.questions({ id: grant.questionId }), { milliseconds: timeoutMs });
  if (question === undefined) return INVALID;
  const { mayAllow } = presentQuestion(question);
  const decisions = grant.decisions.filter((decision) => decision === "deny" || mayAllow);
  if (request.method === "POST") return decide(options, request, { ...grant, decisions }, question);
  const open = await withTimeout(turns.store.questions({ id: grant.questionId, isOpen: true }), {
    milliseconds: timeoutMs,
  });
  return open.length === 0
    ? outcomePage("already-decided", question)
    : renderQuestionPage(question, decisions, grant.by);
}

async function isSignedIn(
  { signedIn, timeoutMs = 60_000 }: AnswerHandlerOptions,
  request: Request,
  { by }: AnswerGrant,
): Promise<boolean> {
  try {
    const answer = await withTimeout(Promise.resolve(signedIn?.(request)), { milliseconds: timeoutMs });
    return typeof answer === "string" && answer === by;
  } catch {
    return false;
  }
}

async function decide(
  { turns, timeoutMs = 60_000 }: AnswerHandlerOptions,
  request: Request,
  { decisions, by, questionId }: AnswerGrant,
  question: Question,
): Promise<Page> {
  // CSRF: refuse forms posted from other sites.
  const site = request.headers.get("sec-fetch-site");
  const type = request.headers.get("content-type") ?? "";
  if (site !== null && site !== "same-origin") return INVALID;
  if (!/^application\/x-www-form-urlencoded(?:;|$)/iu.test(type)) return INVALID;
  const read = await readText(request, MOST_BODY_BYTES);
  if ("fault" in read) return INVALID;
  const form = new URLSearchParams(read.text);
  const decision = decisions.find((each) => each === form.get("decision"));
  if (decision === undefined || form.getAll("decision").length !== 1) {
    return notice(400, "Nothing was decided", "The link does not permit this answer.");
  }
  const reason = form.get("reason")?.trim() ?? "";
  const [edit = "", ...more] = form.getAll("input").map((text) => text.trim());
  let outcome: AnswerOutcome;
  try {
    const input = edit === "" || decision === "deny" ? {} : { input: readEdit(edit) };
    if (more.length > 0) throw new InvalidAnswer("The answer has more than one input.");
    const answered = turns.answer(questionId, { decision, by, ...(reason !== "" && { reason }), ...input });
    outcome = await withTimeout(answered, { milliseconds: timeoutMs });
  } catch (error) {
    // The turns may be those of another copy of this package.
    if (readProperty(error, "code") !== "invalid-answer") throw error;
    return notice(400, "Nothing was decided", `Go back, and correct the input. ${messageOf(error)}`);
  }
  return outcome.accepted ? outcomePage(decision, question) : outcomePage(outcome.reason, question);
}

function readEdit(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new InvalidAnswer(messageOf(error));
  }
}

type Ending = Extract<AnswerOutcome, { readonly accepted: false }>["reason"] | "allow" | "deny";

const ENDINGS: { readonly [ending in Ending]: readonly [status: number, title: string, text: string] } = {
  allow: [200, "Allowed", "The call will run."],
  deny: [200, "Refused", "The call will not run."],
  "already-decided": [410, "Already decided", "Somebody has answered this question. Nothing was changed."],
  expired: [410, "Too late", "The question has expired, and the call will not run."],
  "not-judgeable": [
    400,
    "Not allowed",
    "Nobody can judge an input that is not shown in full. The call can only be refused.",
  ],
  "not-permitted": [403, "Not yours to answer", "Somebody else has to answer this question."],
  "unknown-question": [410, "Gone", "This question no longer exists."],
};

function outcomePage(ending: Ending, { toolName }: Question): Page {
  const [status, title, text] = ENDINGS[ending];
  return notice(status, `${title}: ${toolName}`, text);
}
