import { wrapInNamespaces } from "@hasp/schema/internal/entries";
import { keepLastMark } from "@hasp/schema/internal/keywords";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { type EmitInput, createContextFor, printSpecPlace } from "@hasp/compiler/plugins";
import type { Plugins, SourceText, OutputFile } from "@hasp/compiler";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { dropUndefined, isList, escapeToken, readOwnMember, isSameJson, groupBy, indexBy } from "@hasp/base/json";
import { createBundle, describeForBundle, divideList } from "../emitters/bundle.js";
import { prepare, type PreparedBuild } from "../emitters/prepare.js";
import { type Expectation, listExpectations, listGates } from "./expected-build.js";
import { answerQuestion, type ModuleQuestion } from "./question.js";
import { digestText } from "../emitters/base/module-text.js";
import type { ToolToEmit } from "../emitters/base/emitter.js";
import { handlerFile } from "@hasp/compiler/layout";
import { findConnectionFile } from "../emitters/base/names.js";
import { areSpecsApart } from "../emitters/spec-modules.js";
import { findLosses, fromDocumentUri } from "@hasp/compiler/model";
import { listPluginKinds } from "@hasp/compiler/handlers";
import { VERSION } from "@hasp/runtime/contract";

/** The modules of a build and questions about them, for another process. */
export interface BuildQuestions {
  readonly modules: readonly Pick<OutputFile, "path" | "text">[];
  /** The entry points that they may import for handlers, each with its functions that turn a value of a call into text. */
  readonly entries: Plugins["handlerKinds"]["entries"];
  readonly questions: readonly ModuleQuestion[];
}

export interface Answers {
  /** In the order of the questions. */
  readonly answers: readonly (string | { readonly reason: string })[];
  /** The texts that answers refer to by number. */
  readonly texts: readonly string[];
}

export interface BuildToVerify extends EmitInput {
  readonly sources: readonly Pick<SourceText, "uri" | "text">[];
  readonly files: readonly OutputFile[];
}

/**
 * Verifies that a build agrees with the model. `ask` runs its modules elsewhere. Returns what could not be verified;
 * throws at the first difference.
 */
export async function verifyBuild(
  build: BuildToVerify,
  plugins: Plugins,
  ask: (questions: BuildQuestions) => Answers | Promise<Answers>,
): Promise<readonly Diagnostic[]> {
  const { files, sources } = build;
  const prepared = prepare(build, createContextFor(build, plugins));
  const modules = listPluginKinds(build.plan).map(({ module }) => [module, []]);
  const entries = { ...plugins.handlerKinds.entries, ...Object.fromEntries(modules) };
  const expectations = [...listExpectations(prepared)];
  await verifyModules(expectations, files, ask, entries);
  verifyData(prepared, files, sources);
  return expectations.flatMap(({ untried = [] }) => untried);
}

export async function verifyModules(
  expectations: readonly Expectation[],
  files: readonly OutputFile[],
  ask: (questions: BuildQuestions) => Answers | Promise<Answers>,
  entries: Plugins["handlerKinds"]["entries"] = {},
): Promise<void> {
  const modules = files.filter(({ owner, path }) => owner === "hasp" && /(?<!\.d)\.ts$/u.test(path));
  const { answers, texts } = await ask({
    modules: modules.map(({ path, text }) => ({ path, text })),
    entries,
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

function firstDifference(left: JsonValue, right: JsonValue): string {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return "";
  if (isList(left) !== isList(right)) return "";
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const key = [...keys].find((each) => !isSame(readOwnMember(left, each), readOwnMember(right, each)));
  if (key === undefined) return "";
  const [inLeft, inRight] = [readOwnMember(left, key), readOwnMember(right, key)];
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

/** Lists the expected content of the JSON files, by path. `written` is the manifest of the build. */
function expectedJson(
  { tools, build, inputs }: PreparedBuild,
  files: readonly OutputFile[],
  sources: readonly Pick<SourceText, "uri" | "text">[],
  written: JsonValue,
): ReadonlyMap<string, JsonValue> {
  const { layout, plan, toolsets, extensions } = build;
  const byName = indexBy(tools, ({ tool }) => tool.name);
  const expected = new Map<string, JsonValue>();
  const gates = listGates(tools);
  for (const { name, lists } of plan.jsonLists === true ? toolsets : []) {
    for (const { dialect, tools: listed, later, namespaces } of lists) {
      const entries = listed.flatMap((tool) => {
        const definition = formOf(byName.get(tool), dialect)?.definition;
        return definition === undefined ? [] : [{ tool, gate: gates.get(tool), definition }];
      });
      const { first, deferred, gated } = divideList(entries, later);
      expected.set(
        layout.providerList(name, dialect, "json"),
        wrapInNamespaces(definitionsIn(first, true), namespaces),
      );
      if (deferred.length > 0) expected.set(layout.deferredList(name, dialect), definitionsIn(deferred));
      if (gated.size === 0) continue;
      const byGate = [...gated].map(([gate, of]) => [gate, definitionsIn(of)] as const);
      expected.set(layout.gatedList(name, dialect), Object.fromEntries(byGate));
    }
  }
  for (const toolset of plan.bundle === true ? toolsets : []) {
    const content = createBundle(toolset, build, (name) => {
      const tool = byName.get(name);
      return tool === undefined ? null : describeForBundle(tool);
    });
    expected.set(layout.bundle(toolset.name), content);
  }
  const lossesByTool = new Map(Array.from(byName, ([name, { forms }]) => [name, findLosses(forms)]));
  const byDialect = groupBy(
    toolsets.flatMap(({ lists }) => lists),
    ({ dialect }) => dialect,
  );
  expected.set(
    layout.losses,
    Object.fromEntries(
      [...byDialect].map(([dialect, lists]) => {
        const listed = new Set(lists.flatMap((list) => list.tools));
        const left = new Set(lists.flatMap((list) => list.excluded));
        const examples = hiddenExamplesOf(listed, dialect);
        return [
          dialect,
          {
            losses: lossesOf(listed, dialect),
            excluded: reasonsOf(left, dialect),
            ...(Object.keys(examples).length > 0 && { examples }),
          },
        ];
      }),
    ),
  );
  // A source without a tool is read too, unless its own faults kept it out.
  const isRead = (uri: string): boolean => readOwnMember(readOwnMember(written, "inputs"), uri) !== undefined;
  const read = sources.filter(({ uri }) => isRead(uri)).map(({ uri, text }) => [uri, digestText(text)] as const);
  const digests = new Map([...read, ...inputs]);
  const specs = new Set(tools.map(({ tool }) => tool.document.uri));
  const outputs = files.filter(({ owner, path }) => owner === "hasp" && path !== layout.manifest);
  const filesOf = ({ tool: { name }, names }: ToolToEmit): readonly string[] => [
    layout.toolModule(names),
    layout.declaredHandler(names),
    ...(areSpecsApart(tools) ? [layout.part(layout.specs, name)] : []),
  ];
  const ofTools = new Set(tools.flatMap(filesOf));
  const digestsOf = (paths: readonly string[]): JsonObject =>
    Object.fromEntries(
      paths.flatMap((path) => {
        const text = texts.get(path);
        return text === undefined ? [] : [[path, digestText(text)]];
      }),
    );
  const texts = new Map(outputs.map(({ path, text }) => [path, text]));
  expected.set(layout.manifest, {
    hasp: 1,
    version: VERSION,
    ...(plan.unlocked ? { unlocked: true } : {}),
    ...(plan.exclude.length === 0
      ? {}
      : { excluded: Object.fromEntries(plan.exclude.map(({ tool, reason }) => [tool, reason])) }),
    ...((plan.plugins ?? []).length === 0
      ? {}
      : { plugins: Object.fromEntries((plan.plugins ?? []).map(({ name, digest }) => [name, digest])) }),
    ...(extensions.length === 0 ? {} : { extensions }),
    toolsets: Object.fromEntries(toolsets.map(({ name, lists }) => [name, lists.map(({ dialect }) => dialect)])),
    tools: Object.fromEntries(
      tools.map((emitted) => [
        emitted.tool.name,
        {
          spec: printSpecPlace(emitted.tool),
          digest: digests.get(emitted.tool.document.uri) ?? null,
          handler: handlerFile(emitted.tool, emitted.names, layout),
          outputs: digestsOf(filesOf(emitted)),
        },
      ]),
    ),
    inputs: Object.fromEntries([...digests].filter(([uri]) => !specs.has(uri))),
    outputs: {
      ...Object.fromEntries(
        outputs.filter(({ path }) => !ofTools.has(path)).map(({ path }): [string, string] => [path, "shared"]),
      ),
      ...digestsOf(Object.keys(plan.connections ?? {}).map((each) => findConnectionFile(each, plan, layout).path)),
    },
  });
  return expected;

  function formOf(tool: ToolToEmit | undefined, dialect: string): FormOf | undefined {
    const form = tool?.forms.find((each) => each.dialect === dialect);
    return form?.kind === "listed" ? form.lowered : undefined;
  }

  function lossesOf(names: ReadonlySet<string>, dialect: string): JsonObject {
    const told = [...names].map((name) => [name, lossesByTool.get(name)?.get(dialect) ?? []] as const);
    return Object.fromEntries(
      told
        .filter(([, losses]) => losses.length > 0)
        .map(([name, losses]) => [
          name,
          losses.map(({ origin, words, witness, pointer, keyword, direction, enforcedBy }) => ({
            pointer,
            keyword,
            direction,
            enforcedBy,
            from: `${fromDocumentUri(origin.uri)}#${origin.pointer}`,
            ...dropUndefined({ words, witness }),
          })),
        ]),
    );
  }

  function hiddenExamplesOf(names: ReadonlySet<string>, dialect: string): JsonObject {
    return Object.fromEntries(
      [...names].flatMap((name) => {
        const { hiddenExamples = [] } = formOf(byName.get(name), dialect) ?? {};
        return hiddenExamples.length === 0 ? [] : [[name, [...hiddenExamples]]];
      }),
    );
  }

  function reasonsOf(names: ReadonlySet<string>, dialect: string): JsonObject {
    return Object.fromEntries(
      [...names].flatMap((name) => {
        const form = byName.get(name)?.forms.find((each) => each.dialect === dialect);
        return form?.kind === "excluded" ? [[name, form.reason]] : [];
      }),
    );
  }
}

type FormOf = Extract<ToolToEmit["forms"][number], { readonly kind: "listed" }>["lowered"];

function definitionsIn(entries: readonly { readonly definition: JsonObject }[], mayKeepMark = false): JsonObject[] {
  const definitions = entries.map(({ definition }) => definition);
  return keepLastMark(definitions, mayKeepMark);
}
