import type { JsonValue } from "@hasp/schema";
import type { EmitInput } from "../context/plugins.js";
import type { SourceText, OutputFile } from "../model/document.js";
import { isList, escapeToken, ownMember, isSameJson } from "../model/json.js";
import { createContextFor } from "../builtin/index.js";
import { prepare, type PreparedBuild } from "../builtin/emitters/prepare.js";
import { expectedBuild, type Expectation } from "./expected-build.js";
import { expectedJson } from "./expected-json.js";
import { answerQuestion, type Question } from "./question.js";

/** The modules of a build and questions about them, for another process. */
export interface Questions {
  readonly modules: readonly Pick<OutputFile, "path" | "text">[];
  readonly questions: readonly Question[];
}

export interface Answers {
  /** In the order of the questions. */
  readonly answers: readonly (string | { readonly reason: string })[];
  /** The texts that answers refer to by number. */
  readonly texts: readonly string[];
}

export interface BuildToVerify extends Omit<EmitInput, "documents"> {
  readonly sources: readonly Pick<SourceText, "uri" | "text">[];
  readonly files: readonly OutputFile[];
}

/**
 * Verifies that the files of a build agree with the model. `ask` runs the modules in a process of its own. Throws at
 * the first difference, which is a bug in hasp.
 */
export async function verifyBuild(
  build: BuildToVerify,
  ask: (questions: Questions) => Answers | Promise<Answers>,
): Promise<void> {
  const { files, sources } = build;
  const prepared = prepare(build, createContextFor(build));
  await verifyModules([...expectedBuild(prepared)], files, ask);
  verifyData(prepared, files, sources);
}

export async function verifyModules(
  expectations: readonly Expectation[],
  files: readonly OutputFile[],
  ask: (questions: Questions) => Answers | Promise<Answers>,
): Promise<void> {
  const modules = files.filter(({ owner, path }) => owner === "hasp" && path.endsWith(".ts"));
  const { answers, texts } = await ask({
    modules: modules.map(({ path, text }) => ({ path, text })),
    questions: expectations.map(({ question }) => question),
  });
  const numbers = new Map(texts.map((text, index) => [text, index]));
  for (const [index, { question, value, about }] of expectations.entries()) {
    const answer = answers[index] ?? { reason: "it was not asked" };
    if (typeof answer !== "string") fault(question.path, `${about} cannot be had: ${answer.reason}`);
    const right = answerQuestion(question, value, (text) => numbers.get(text) ?? -1);
    if (answer !== right) {
      const place = firstDifference(JSON.parse(answer) as JsonValue, JSON.parse(right) as JsonValue);
      fault(question.path, `${about} differs from the model${place === "" ? "" : ` at ${place}`}`);
    }
  }
}

export function verifyData(
  prepared: PreparedBuild,
  files: BuildToVerify["files"],
  sources: BuildToVerify["sources"],
): void {
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  const { manifest } = prepared.build.layout;
  const expected = expectedJson(prepared, files, sources, parseJson(manifest, byPath.get(manifest)));
  for (const [path, value] of expected) {
    const found = parseJson(path, byPath.get(path));
    if (!isSameJson(found, value)) fault(path, `it differs from the model at ${firstDifference(found, value)}`);
  }
}

/** Returns the JSON Pointer of the first difference. */
function firstDifference(left: JsonValue, right: JsonValue): string {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return "";
  if (isList(left) !== isList(right)) return "";
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const key = [...keys].find((each) => !isSame(ownMember(left, each), ownMember(right, each)));
  if (key === undefined) return "";
  const [inLeft, inRight] = [ownMember(left, key), ownMember(right, key)];
  return `/${escapeToken(key)}${inLeft === undefined || inRight === undefined ? "" : firstDifference(inLeft, inRight)}`;
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && isSameJson(left, right);
}

function parseJson(path: string, text: string | undefined): JsonValue {
  try {
    return JSON.parse(text ?? fault(path, "it was not written")) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return fault(path, "it is not JSON");
    throw error;
  }
}

function fault(path: string, problem: string): never {
  throw new Error(`hasp generated ${path} incorrectly: ${problem}. Nothing was written; please report this bug.`);
}
