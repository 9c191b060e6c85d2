import { canonicalText, type JsonValue } from "@hasp/schema";
import { compile } from "../../../../compiler/src/compile.js";
import { printEjectedHandler } from "../../../../compiler/src/builtin/emitters/handler-modules.js";
import { collectNeeds } from "../../../../compiler/src/builtin/handlers/needs.js";
import { editSpecText, type SpecEdit } from "../../../../compiler/src/ledger/edit-spec-text.js";
import type { SourceText } from "../../../../compiler/src/model/document.js";
import { ownMember } from "../../../../compiler/src/model/own.js";
import { pointerTokens } from "../../../../compiler/src/model/json-pointer.js";
import type { FlatTool } from "../../../../compiler/src/model/tool.js";
import { createContextFor } from "../../../../compiler/src/builtin/index.js";
import { prepare } from "../../../../compiler/src/builtin/emitters/prepare.js";
import type { CompiledProject } from "../project/project.js";

export interface Ejection {
  /** The user's own handler. */
  readonly handler: { readonly path: string; readonly text: string };
  /** The spec without the declaration. */
  readonly spec: { readonly uri: string; readonly before: string; readonly text: string };
  /** The number of tests whose stated answers were removed. */
  readonly testsChanged: number;
}

interface EjectionProblem {
  readonly problem: string;
}

/** Converts a declared handler to the user's own code, without writing it. */
export async function ejectionOf(
  tool: FlatTool,
  { result, plan, sources }: Pick<CompiledProject, "result" | "plan" | "sources">,
): Promise<Ejection | EjectionProblem> {
  const input = { ...result, plan };
  const emitted = prepare(input, createContextFor(input)).tools.find((each) => each.tool.name === tool.name);
  if (emitted === undefined) throw new Error(`${tool.name} is not part of the build.`);
  const { uri } = tool.document;
  const source = sources.find((each) => each.uri === uri);
  if (source === undefined) throw new Error(`${uri} was not read.`);
  const tests = testEdits(tool);
  const edits = [...tests.flat(), ...specEdits(tool, plan)].map(({ path, value }) => ({
    path: [...placeOf(tool.pointer), ...path],
    value,
  }));
  const text = editSpecText(uri, source.text, edits);
  const changed = sources.map((each): SourceText => (each === source ? { ...source, text } : each));
  const after = (await compile(changed, { ...plan, unlocked: true }, { emits: false })).tools.find(
    ({ name }) => name === tool.name,
  );
  if (after === undefined || !isSameInput(tool, after)) {
    return {
      problem:
        "without `bind`, models would see what it hides in the input. Remove those properties from the input first",
    };
  }
  const { path, text: handler } = await printEjectedHandler(emitted);
  return { handler: { path, text: handler }, spec: { uri, before: source.text, text }, testsChanged: tests.length };
}

function isSameInput(before: FlatTool, after: FlatTool): boolean {
  return canonicalText(before.input.schema as JsonValue) === canonicalText(after.input.schema as JsonValue);
}

/** Splits a pointer into keys and indexes. */
function placeOf(pointer: string): readonly (string | number)[] {
  return pointerTokens(pointer).map((token) => (/^\d+$/u.test(token) ? Number(token) : token));
}

/** Removes the declaration. Keeps its needs, and keeps bound inputs hidden. */
function specEdits({ spec }: FlatTool, { connections }: CompiledProject["plan"]): readonly SpecEdit[] {
  const { context } = collectNeeds(spec, connections) ?? {};
  const needs: readonly SpecEdit[] =
    context === undefined
      ? []
      : spec.needs === undefined
        ? [{ path: ["needs"], value: { context } }]
        : [{ path: ["needs", "context"], value: context }];
  return [
    ...needs,
    ...Object.keys(spec.bind ?? {}).flatMap((name) => hidingEdits(spec.input, name)),
    ...(spec.bind === undefined ? [] : [removal("bind")]),
    removal("handler"),
  ];
}

function hidingEdits(input: FlatTool["spec"]["input"], name: string): readonly SpecEdit[] {
  if (typeof input === "boolean" || ownMember(input.properties, name) === undefined) return [];
  const index = input.required?.indexOf(name) ?? -1;
  return [removal("input", "properties", name), ...(index === -1 ? [] : [removal("input", "required", index)])];
}

/** Parts of a test that apply only to declared handlers. */
const ABOUT_DECLARED = [["respond"], ["expect", "output"], ["expect", "error"], ["expect", "request"]] as const;

/** Removes those parts, the last test first, and tests that have nothing else. */
function testEdits({ spec: { tests = [] } }: FlatTool): readonly (readonly SpecEdit[])[] {
  return tests
    .map((test, index): readonly SpecEdit[] => {
      const parts = ABOUT_DECLARED.filter(
        ([first, second]) => ownMember(second === undefined ? test : test[first], second ?? first) !== undefined,
      );
      const expected = parts.filter(([first]) => first === "expect");
      const isEmpty = parts.length > 0 && expected.length === Object.keys(test.expect).length;
      return isEmpty ? [removal("tests", index)] : parts.map((part) => removal("tests", index, ...part));
    })
    .filter((edits) => edits.length > 0)
    .toReversed();
}

function removal(...path: readonly (string | number)[]): SpecEdit {
  return { path, value: undefined };
}
