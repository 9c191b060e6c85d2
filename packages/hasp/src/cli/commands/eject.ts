import { writeNew } from "../project/write-new.js";
import { canonicalText, parsePointer, readOwnMember, toList, toObject } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { collectNeeds } from "@hasp/compiler/handlers";
import { compile, type SourceText, type FlatTool } from "@hasp/compiler";
import { printOwnHandler, withoutApprovals } from "@hasp/project/session";
import { isError, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { editSpecText, type SpecEdit } from "@hasp/compiler/claims";
import { declarationOf } from "@hasp/compiler/model";
import { reportUnknownTools } from "../project/unknown-tools.js";
import { type ReportedProject, compileProject, isCompiled } from "../project/project.js";
import { type CommandModule, type CommandResult, type Invocation, printNextBuild, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

interface Ejection {
  readonly handler: { readonly path: string; readonly text: string };
  readonly spec: { readonly uri: string; readonly before: string; readonly text: string };
  readonly testsChanged: number;
}

interface EjectionProblem {
  readonly problem: string;
}

async function convertHandler(
  tool: FlatTool,
  { result, plan, plugins, sources }: Pick<ReportedProject, "result" | "plan" | "plugins" | "sources">,
): Promise<Ejection | EjectionProblem> {
  const { uri } = tool.document;
  const source = sources.find((each) => each.uri === uri);
  if (source === undefined) throw new Error(`${uri} was not read.`);
  const tests = testEdits(tool);
  const edits = [...tests.flat(), ...specEdits(tool, plan, plugins)].map(({ path, value }) => ({
    path: [...parsePointer(tool.pointer).map((token) => (/^\d+$/u.test(token) ? Number(token) : token)), ...path],
    value,
  }));
  const text = editSpecText(uri, source.text, edits);
  const changed = sources.map((each): SourceText => (each === source ? { ...source, text } : each));
  const after = (await compile(changed, { ...plan, unlocked: true }, { emits: false, plugins })).tools.find(
    ({ name }) => name === tool.name,
  );
  if (after === undefined || !isSameInput(tool, after)) {
    return {
      problem:
        "without `bind`, models would see what it hides in the input. Remove those properties from the input first",
    };
  }
  const { path, text: handler } = await printOwnHandler(tool, { result, plan, plugins });
  return { handler: { path, text: handler }, spec: { uri, before: source.text, text }, testsChanged: tests.length };
}

function isSameInput(before: FlatTool, after: FlatTool): boolean {
  return canonicalText(before.input.schema as JsonValue) === canonicalText(after.input.schema as JsonValue);
}

/** Returns edits that remove the declaration. They keep its needs, and keep bound inputs hidden. */
function specEdits(
  { spec }: FlatTool,
  { connections }: ReportedProject["plan"],
  { handlerKinds }: ReportedProject["plugins"],
): readonly SpecEdit[] {
  const { context } = collectNeeds(spec, handlerKinds, connections) ?? {};
  const needs: readonly SpecEdit[] =
    context === undefined
      ? []
      : spec.needs === undefined
        ? [{ path: ["needs"], value: { context } }]
        : [{ path: ["needs", "context"], value: context }];
  return [
    ...needs,
    ...hidingEdits(spec.input, Object.keys(spec.bind ?? {})),
    ...(spec.bind === undefined ? [] : [removal("bind")]),
    removal("handler"),
  ];
}

function hidingEdits(input: FlatTool["spec"]["input"], names: readonly string[]): readonly SpecEdit[] {
  const declared = Object.keys(toObject(readOwnMember(input, "properties")));
  const hidden = declared.filter((name) => names.includes(name));
  const required = toList(readOwnMember(input, "required")).flatMap((name, index) =>
    hidden.includes(String(name)) ? [index] : [],
  );
  return [
    ...hidden.map((name) => removal("input", "properties", name)),
    // The last first: what is removed moves the names after it.
    ...required.toReversed().map((index) => removal("input", "required", index)),
  ];
}

/** Parts of a test that apply only to declared handlers. */
const ABOUT_DECLARED = [["respond"], ["expect", "output"], ["expect", "error"], ["expect", "request"]] as const;

/** Returns edits that remove those parts, the last test first, and tests that have nothing else. */
function testEdits({ spec: { tests = [] } }: FlatTool): readonly (readonly SpecEdit[])[] {
  return tests
    .map((test, index): readonly SpecEdit[] => {
      const parts = ABOUT_DECLARED.filter(
        ([first, second]) => readOwnMember(second === undefined ? test : test[first], second ?? first) !== undefined,
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

export const eject: CommandModule = {
  showsNotes: true,
  configure(command) {
    command.argument("<tool>", "the name of a tool that declares its handler");
  },
  run: runEject,
};

async function runEject(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.words;
  // Unapproved tools can be ejected too, since nothing is built here.
  const project = await compileProject(invocation, { adapt: withoutApprovals });
  if (!isCompiled(project)) return project;
  const common = { sources: project.texts, root: project.root };
  const tool = project.result.tools.find((each) => each.name === name);
  const errors = project.diagnostics.filter(isError);
  if (tool === undefined) {
    const names = project.result.tools.map((each) => each.name);
    return { ...common, diagnostics: [...errors, ...reportUnknownTools([name], names)], state: "unchecked" };
  }
  const ofTool = errors.filter((each) => each.tool === name);
  if (ofTool.length > 0) return { ...common, diagnostics: ofTool };
  const refused = (problem: string): CommandResult => ({
    ...common,
    diagnostics: [cliDiagnostics("cannot-eject", tool.locate("/name"), { tool: name, problem })],
  });
  if (declarationOf(tool.spec) === undefined) {
    return refused("its spec declares none, so the handler is your own already");
  }
  const ejection = await convertHandler(tool, project);
  if ("problem" in ejection) return refused(ejection.problem);
  const written = await write(ejection, project.root, name);
  return { ...common, ...written, ...(written.text && { text: `${written.text}${printNextBuild(invocation)}` }) };
}

async function write({ handler, spec, testsChanged }: Ejection, root: string, tool: string): Promise<CommandResult> {
  const { formatUserFiles, removeUserFile, updateUserFile } = await import("@hasp/project/output");
  const [formatted = handler] = await formatUserFiles([{ ...handler, owner: "user" }], root);
  const remedy = "Delete it, or move what you need of it elsewhere, and run the command again.";
  const unwritten = await writeNew(root, formatted, remedy);
  if (unwritten !== undefined) return unwritten;
  const reason = await updateUserFile(root, spec.uri, spec.before, spec.text);
  if (reason !== undefined) {
    await removeUserFile(root, handler.path);
    return refuse(cliDiagnostics("cannot-write", undefined, { path: spec.uri, reason }));
  }
  const tests =
    testsChanged === 0
      ? ""
      : ` ${pluralize(testsChanged, "test")} stated what a service or program answers; a handler of your own is not tested that way, and ${testsChanged === 1 ? "it was" : "they were"} removed or shortened.`;
  return {
    diagnostics: [],
    summary: { written: [handler.path, spec.uri] },
    text: `Wrote ${printVisibleText(handler.path)}: it is yours from now on. ${printVisibleText(spec.uri)} no longer declares the handler of ${printVisibleText(tool)}.${tests} Claims that were approved for the declaration need a new approval.\n`,
  };
}
