import {
  type CallOptions,
  type DeclaredHandler,
  readProperty,
  messageOf,
  declaredHandler,
} from "@hasp/runtime/internal";
import { type MarkedResult, toolResult } from "@hasp/runtime";
import { parseExactJson, findValueAt, toRecord } from "@hasp/base/json";
import {
  type CheckedConnection,
  type HttpCall,
  type HttpCallState,
  prepare,
  type PreparedRequest,
  send,
} from "./call.js";
import { SETTINGS, type HttpConnection } from "./connection.js";
import { one, readContent, UnreadableAnswer, type AnswerContent } from "./decode.js";
import { HttpError, createNotExecuted, type FailureFacts, type RawAnswer } from "./network/transport.js";
import { findNextPage, type NextPage } from "./pagination.js";
import type { HttpDeclaration } from "./request/http-request.js";
import { createBytesContent, createFailedResult, createUnusableResult, retryAfterSeconds } from "./result.js";
import { parsePath, type PathTemplate } from "./request/target.js";

/**
 * Creates the handler of a tool that is one HTTP request. JSON becomes the output, other text content, other bytes a
 * `resource`; an integer that a number cannot hold becomes a string of its digits. A refusal becomes an error with its
 * status and an excerpt; temporary failures are thrown, so that the dispatcher may try again. A status below 500 means
 * that the call had no effect, except 408 and those that say nothing about it. Throws a `TypeError` for an invalid
 * path.
 */
export function httpHandler<Input = unknown, Context = unknown>(
  connection: HttpConnection<Context>,
  declaration: HttpDeclaration<Input, Context>,
): DeclaredHandler<Input, Context> {
  const { method } = declaration;
  if (!/^[A-Z]+(?:-[A-Z]+)*$/u.test(method) || method === "CONNECT") {
    throw new TypeError(`httpHandler: \`method\` must be an HTTP method in capital letters, not "${method}".`);
  }
  const template = parsePath(declaration.path);
  const settings = connection[SETTINGS] as CheckedConnection<never>;
  return declaredHandler(settings.patterns, async (input, options, { secrets }) => {
    const progress: HttpCallState = { secrets, mayHaveLanded: false };
    try {
      const prepared = prepareSafely(declaration, template, settings, input, options);
      return await run({ name: connection.name, settings, prepared, options, progress });
    } catch (error) {
      if (options.signal.aborted && error === options.signal.reason) throw error;
      throw withName(error, connection.name, progress);
    }
  });
}

/** Prepares a request. Every error is {@link NotExecuted}, since nothing was sent. */
function prepareSafely<Input, Context>(
  declaration: HttpDeclaration<Input, Context>,
  template: PathTemplate,
  { address }: CheckedConnection<never>,
  input: Input,
  options: CallOptions<Context>,
): PreparedRequest {
  try {
    return prepare(declaration, template, address(), input, options);
  } catch (error) {
    throw createNotExecuted(messageOf(error));
  }
}

function withName(error: unknown, name: string, { mayHaveLanded }: HttpCallState): Error {
  const message = `${name}: ${messageOf(error)}`;
  const facts = toRecord(["status", "retryable", "retryAfterSeconds"], (fact) =>
    readProperty(error, fact),
  ) as FailureFacts;
  const hadNoEffect = readProperty(error, "code") === "not-executed" && !mayHaveLanded;
  return hadNoEffect ? createNotExecuted(message, facts) : new HttpError(message, facts);
}

async function run(call: HttpCall): Promise<MarkedResult> {
  const { name, progress } = call;
  const { pagination, path, result = "" } = call.prepared.declaration;
  const { maxBytes } = call.settings;
  const items: unknown[] = [];
  let size = 0;
  let page: NextPage | undefined;
  for (let pages = 1; ; pages += 1) {
    const { answer, url } = await send(call, page);
    const { status } = answer;
    const isDone = status >= 200 && status < 300;
    let content: AnswerContent;
    try {
      content = await readContent(answer, maxBytes);
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error;
      if (!isDone) return createFailure(call, answer, "");
      return createUnusableResult(name, status, error.message);
    }
    if (!isDone) return createFailure(call, answer, "text" in content ? progress.secrets.text(content.text) : "");
    if (content.kind === "nothing") return toolResult({ output: null, details: { status } });
    if (content.kind === "bytes") {
      // Latin-1: each byte is one character, and stays one.
      const bytes = Buffer.from(progress.secrets.text(content.bytes.toString("latin1")), "latin1");
      return createBytesContent(encodeURI(`${name}:${path}`), { ...content, bytes });
    }
    if (content.kind === "text") return toolResult({ content: content.text, details: { status } });
    const value = parseJson(content.text);
    if (value === undefined) {
      return createUnusableResult(name, status, "its answer is not complete, valid JSON");
    }
    const output = findValueAt(value, result);
    if (output === undefined) {
      return createUnusableResult(name, status, `its answer has nothing at "${result}"`);
    }
    if (pagination === undefined || !Array.isArray(output)) return toolResult({ output, details: { status } });
    size += content.text.length;
    if (size > maxBytes) return pagesResult(items, true, status);
    items.push(...(output as unknown[]));
    progress.mayHaveLanded = true;
    const next = findNextPage(pagination, answer, value, url);
    if (next === undefined) return pagesResult(items, false, status);
    if (next === "elsewhere" || pages >= pagination.maxPages) return pagesResult(items, true, status);
    page = next;
  }
}

function createFailure(
  { name, progress: { secrets, mayHaveLanded } }: HttpCall,
  answer: RawAnswer,
  text: string,
): MarkedResult {
  const seconds = retryAfterSeconds(one(answer.headers["retry-after"]));
  const statusText = secrets.text(answer.statusText);
  return createFailedResult(name, { ...answer, statusText }, seconds, text, mayHaveLanded);
}

function pagesResult(items: readonly unknown[], isCut: boolean, status: number): MarkedResult {
  const details = { status };
  if (!isCut) return toolResult({ output: items, details });
  const note = "[There are more pages. Narrow the request to see the rest.]";
  const content = [JSON.stringify(items), note].map((text) => ({ type: "text", text }) as const);
  return toolResult({ output: items, content, details });
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
