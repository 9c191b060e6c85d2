import { findOrAdd, own, isStructured, mapMembers, toRecord } from "@hasp/base/json";
import * as codegen from "@hasp/runtime/codegen/v1";
import { answerQuestion, type Answers, type BuildQuestions, PART_NAMES } from "@hasp/builtin/verify";
import { createRecordedCall, markArgument } from "@hasp/compiler/plugin";
import { resolveImportedPath, CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { EmittedModules, type Exports, ModuleReference } from "./emitted-modules.js";

/**
 * Runs the modules of a build and answers questions about them. Records calls with effects (connect, isolate, import a
 * handler) without making them.
 */
export function answerQuestions({ modules, entries, questions }: BuildQuestions): Answers {
  const texts = new Map<string, number>();
  const numberText = (text: string): number => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, texts.size);
    return known ?? texts.size - 1;
  };
  const modulesByPath = new Map(modules.map(({ path, text }) => [path, text]));
  const plain = new EmittedModules(modulesByPath, (from) =>
    from === CODEGEN_ENTRIES.isolation ? isolationModule((path) => plain.load(path)) : recordingModule(from, entries),
  );
  const rounds = new Map<string, EmittedModules>();
  const modulesFor = (constants: Readonly<Record<string, boolean>> | undefined): EmittedModules => {
    if (constants === undefined) return plain;
    return findOrAdd(rounds, JSON.stringify(constants), () => plain.withGlobals(constants));
  };
  const attempt = <Result>(run: () => Result): Result | { readonly reason: string } => {
    try {
      return run();
    } catch (error) {
      return { reason: String(error) };
    }
  };
  const answers = questions.map((question) =>
    attempt(() => {
      const exported = modulesFor(question.constants).load(question.path);
      const value = [question.name, ...(question.at ?? [])].reduce<unknown>(memberOf, exported);
      return answerQuestion(question, value, numberText);
    }),
  );
  return { answers, texts: [...texts.keys()] };
}

function memberOf(value: unknown, key: string): unknown {
  if (!isStructured(value) || !Object.hasOwn(value, key)) throw new Error(`there is no ${key}`);
  return (value as Exports)[key];
}

/** Creates a package for generated code: conditions run the runtime's functions; every other call is recorded. */
function recordingModule(from: string, entries: BuildQuestions["entries"]): Exports {
  if (from === CODEGEN_ENTRIES.runtime) return { ...codegen, ...registryFunctions, ...parts };
  const isOwn = Object.values<string>(CODEGEN_ENTRIES).includes(from);
  const textFunctions = isOwn ? [] : own(entries, from);
  if (textFunctions === undefined) throw new Error(`generated code does not import ${from}`);
  const stated = { ...(isOwn && extensions), ...toRecord(textFunctions, () => markArgument) };
  return new Proxy<Record<string, unknown>>(stated, {
    get: (known, name: string) =>
      known[name] ?? ((...parameters: readonly unknown[]) => createRecordedCall(name, from, parameters)),
  });
}

/** Creates the package that isolates handlers: a handler named by its path from a module is recorded as that file. */
function isolationModule(load: (path: string) => Exports): Exports {
  return {
    isolate: ({ module, ...options }: IsolateParameters) => {
      const from = module.from();
      if (!(from instanceof ModuleReference)) throw new Error("a registry finds itself by another module");
      const file = resolveImportedPath(String(load(from.module)["url"]), module.path);
      return createRecordedCall("isolate", CODEGEN_ENTRIES.isolation, [{ module: { file }, ...options }]);
    },
  };
}

interface IsolateParameters {
  readonly module: { readonly path: string; readonly from: () => unknown };
}

const extensions = { informationFlow: "flow", toolSearch: "search", storedResults: () => "results" };

/** The parts of tools, each as its name. */
const parts = toRecord(PART_NAMES, (part) => part);

const registryFunctions = {
  kindHandler: (...parameters: readonly unknown[]) =>
    createRecordedCall("kindHandler", CODEGEN_ENTRIES.runtime, parameters),
  externalHandler: () => createRecordedCall("externalHandler", CODEGEN_ENTRIES.runtime, []),
  bindSpec: (spec: unknown, handler: unknown, isolated: unknown) => ({ bind: "bindSpec", spec, handler, isolated }),
  bindLazySpec: (spec: unknown, load: () => unknown, isolated: unknown) => ({
    bind: "bindLazySpec",
    spec,
    handler: load(),
    isolated,
  }),
  createRegistry: (entries: Readonly<Record<string, (() => unknown) | undefined>>, options: unknown) => ({
    names: Object.keys(entries).filter((name) => entries[name] !== undefined),
    entries: Object.defineProperties(
      {},
      mapMembers(entries, (bind) => ({ get: () => bind?.(), enumerable: true })),
    ),
    options,
  }),
};
