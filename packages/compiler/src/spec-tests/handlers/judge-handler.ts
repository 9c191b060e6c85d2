import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject, isSameJson } from "../../model/json.js";
import type { SpecTest } from "../../model/tool-spec.js";
import { jsonCopy } from "./json-copy.js";
import type { HandlerOutcome } from "./run-declared-handler.js";

/** An unmet expectation; `at` is its pointer inside the test. */
export interface UnmetExpectation {
  readonly message: string;
  readonly at: string;
}

export function isAboutHandler({ respond, expect }: SpecTest): boolean {
  return [respond, expect.output, expect.error, expect.request].some((part) => part !== undefined);
}

export function judgeHandler({ expect }: SpecTest, { result, requests }: HandlerOutcome): readonly UnmetExpectation[] {
  return [...judgeRequest(expect.request, requests), ...judgeResult(expect, result)];
}

function judgeResult({ output, error }: SpecTest["expect"], result: HandlerOutcome["result"]): UnmetExpectation[] {
  const text = textOf(result);
  if (error !== undefined) {
    if (!result.isError) return [{ message: `The call succeeds with ${shown(outputOf(result))}.`, at: "expect/error" }];
    return text.includes(error) ? [] : [{ message: `The error is: ${excerpt(text)}`, at: "expect/error" }];
  }
  if (result.isError) {
    const at = output === undefined ? "respond" : "expect/output";
    return [{ message: `The call fails: ${excerpt(text)}`, at }];
  }
  const actual = outputOf(result);
  if (output === undefined || isSameJson(actual, output)) return [];
  return [{ message: `The output is ${shown(actual)}, not ${shown(output)}.`, at: "expect/output" }];
}

function judgeRequest(expected: JsonObject | undefined, requests: readonly JsonObject[]): UnmetExpectation[] {
  if (expected === undefined) return [];
  const at = "expect/request";
  const [request] = requests;
  if (request === undefined) return [{ message: "Nothing is sent.", at }];
  return Object.entries(expected).flatMap(([part, value]) => {
    const actual = request[part];
    if (part === "headers" && isObject(value) && isObject(actual)) return judgeHeaders(value, actual);
    if (isSameJson(actual ?? null, value)) return [];
    const message = `${part} is ${actual === undefined ? "not sent" : shown(actual)}, not ${shown(value)}.`;
    return [{ message, at: `${at}/${part}` }];
  });
}

/** Other headers are the client's own. */
function judgeHeaders(expected: JsonObject, actual: JsonObject): UnmetExpectation[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const sent = actual[name.toLowerCase()];
    if (isSameJson(sent ?? null, value)) return [];
    const message = `The header ${name} is ${sent === undefined ? "not sent" : shown(sent)}, not ${shown(value)}.`;
    return [{ message, at: "expect/request/headers" }];
  });
}

function outputOf(result: HandlerOutcome["result"]): JsonValue {
  return jsonCopy(result.output) ?? textOf(result);
}

function textOf({ error, content }: HandlerOutcome["result"]): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return text === "" ? (error?.message ?? "") : text;
}

function shown(value: JsonValue): string {
  return excerpt(JSON.stringify(value));
}
