import type * as runtime from "@hasp/runtime/codegen/v1";
import { createValidator, type JsonObject, type JsonValue } from "@hasp/schema";
import { findSuggestions } from "@hasp/base/diagnostics";
import { isList, isObject, once, readOwnMember } from "@hasp/base/json";
import type { LoadedDocument } from "../model/document.js";
import {
  type Connections,
  declarationOf,
  type Effect,
  findPluginKind,
  type HandlerDeclaration,
  type HandlerFormats,
  isPluginKind,
  type KindFormats,
  listPluginKinds,
} from "../model/handlers.js";
import type { ToolSpec } from "../model/tool-spec.js";
import type { FlatTool } from "../model/tool.js";
import { PLUGIN_FORMATS } from "../spec/handler-schema.js";
import { createSpecFormat, type SpecFormat } from "../spec/spec-format.js";
import { code, type Data, printObjectLiteral } from "../typescript/code.js";
import { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";
import { handlerDiagnostics } from "./diagnostics.js";
import { createRecordedCall, type RecordedCall } from "./expected-call.js";
import { expectWholeInput } from "./expected-value.js";
import type { ExpectedSubject, GeneratedModule, HandlerKind, HandlerKindParts, ModuleSubject } from "./handler-kind.js";
import { printWholeInput } from "./print-value.js";
import type { ValueReference } from "./references.js";

/** The kinds of handlers that specs may declare: those of this program, and those that plugins of a configuration add. */
export interface HandlerKinds {
  readonly names: readonly string[];
  readonly entries: KindFormats["entries"];
  /** Returns the format of specs, made from the kinds. */
  specFormat(): SpecFormat;
  /** Loads the kinds of declared handlers and of connections; `partsOf` needs it. */
  load(documents: readonly LoadedDocument[], plan: { readonly connections?: Connections }): Promise<void>;
  /** Returns a kind's forms; `undefined` for a kind that this program lacks. */
  findFormats(key: string): HandlerFormats | undefined;
  startsProgram(handler: HandlerDeclaration | undefined): boolean;
  /** Returns a kind's code. Any other kind counts as one of a plugin, whose check reports it if no plugin adds it. */
  partsOf(key: string): HandlerKindParts;
}

/** Creates the kinds of a program. Throws if two have the same name. */
export function createHandlerKinds(kinds: readonly HandlerKind[]): HandlerKinds {
  const known = new Map<string, HandlerKind>();
  for (const kind of kinds) {
    if (known.has(kind.name)) throw new Error(`Two plugins declare the handler kind "${kind.name}".`);
    known.set(kind.name, kind);
  }
  const loaded = new Map<string, HandlerKindParts>();
  const names = [...known.keys()];
  const pluginKind = createPluginKind(names);
  return {
    names,
    entries: Object.assign({}, ...kinds.map(({ entries }) => entries)) as KindFormats["entries"],
    specFormat: once(() => createSpecFormat(kinds)),
    async load(documents, { connections = {} }) {
      const named = new Set([
        ...documents.flatMap(({ role, value }) => (role === "spec" ? listDeclaredKinds(value) : [])),
        ...Object.values(connections).flatMap((connection) => Object.keys(connection)),
      ]);
      await Promise.all(
        [...named].map(async (name) => {
          const kind = known.get(name);
          if (kind !== undefined && !loaded.has(name)) loaded.set(name, await kind.load());
        }),
      );
    },
    findFormats: (key) => (isPluginKind(key) ? PLUGIN_FORMATS : known.get(key)?.formats),
    startsProgram: (handler) => handler !== undefined && known.get(handler.key)?.startsProgram === true,
    partsOf(key) {
      if (!known.has(key)) return pluginKind;
      const parts = loaded.get(key);
      if (parts === undefined) throw new Error(`The handler kind ${key} is not loaded.`);
      return parts;
    },
  };
}

/** Ties the forms of a kind to the type of its declarations. */
export function defineHandlerKind<Declaration extends object>(
  kind: KindFormats & { load(): Promise<HandlerKindParts<Declaration>> },
): HandlerKind {
  // The format's check has proved that a declaration has this type.
  return kind as unknown as HandlerKind;
}

/** Lists the keys under `handler` in a file of specs that nothing has checked yet. */
function listDeclaredKinds(file: JsonValue): readonly string[] {
  const specs = readOwnMember(file, "tools") ?? file;
  return (isList(specs) ? specs : [specs]).flatMap((spec) => {
    const handler: JsonValue | undefined = readOwnMember(spec, "handler");
    return handler !== undefined && isObject(handler) ? Object.keys(handler) : [];
  });
}

/** Returns the effects of a tool's declared handler; `undefined` if the handler is code. */
export function findEffects(
  tool: Pick<FlatTool, "input" | "spec">,
  kinds: HandlerKinds,
): readonly Effect[] | undefined {
  const declared = declarationOf(tool.spec);
  return declared && kinds.partsOf(declared.key).effects(declared.declaration, tool);
}

/** Returns every value that a declaration takes from the input, the context or `bind`, in textual order. */
export function findReferences(
  { key, declaration }: HandlerDeclaration,
  { bind = {} }: Pick<ToolSpec, "bind">,
  kinds: HandlerKinds,
): readonly ValueReference[] {
  return kinds.partsOf(key).references(declaration, bind);
}

/** Creates what every kind that a plugin of the configuration adds has in common: it is data, which proves nothing. */
const createPluginKind = (otherKinds: readonly string[]): HandlerKindParts => ({
  takesWholeInput: true,
  references: () => [],
  effects: () => [],
  /** Reports a kind that nothing adds, a declaration that its schema refuses, and a package that is missing. */
  check(declaration, { spec }, reportWith, plan) {
    const report = reportWith(handlerDiagnostics);
    const kind = findPluginKind(spec, plan);
    if (kind === undefined) {
      const known = [...otherKinds, ...listPluginKinds(plan).map(({ name }) => name)];
      const name = declarationOf(spec)?.key ?? "";
      return report("unknown-kind", "", { name, nearest: findSuggestions(name, known) });
    }
    for (const { pointer, message } of createValidator(kind.declaration)(declaration).errors) {
      report("declaration", pointer, { name: kind.name, problem: message });
    }
    if (plan.missingPeers?.includes(kind.module) === true) {
      report("missing-module", "", { name: kind.name, module: kind.module });
    }
  },
  print: printPluginKind,
  expect: expectPluginKind,
  answer: {
    entry: CODEGEN_ENTRIES.runtime,
    replace(functions, { output, error }, record) {
      const { kindHandler } = functions as typeof runtime;
      const answer = (_declaration: unknown, input: unknown): unknown => {
        record({ input: input ?? {} });
        if (error !== undefined) throw new Error(String(error));
        return output;
      };
      return {
        kindHandler: (_run: unknown, settings: Parameters<typeof kindHandler>[1]) => kindHandler(answer, settings),
      };
    },
  },
});

/** Prints the call of a plugin's function. Only data and names of imports come from the plugin. */
function printPluginKind(declaration: JsonObject, { tool, types, plan }: ModuleSubject): GeneratedModule {
  const kind = findPluginKind(tool.spec, plan);
  if (kind === undefined) throw new Error(`No plugin adds the handler of ${tool.name}.`);
  const entries = { declaration: declaration as Data, input: printWholeInput(tool) };
  return {
    imports: { [CODEGEN_ENTRIES.runtime]: ["kindHandler"], [kind.module]: [`${kind.export} as run`] },
    comment: `${kind.name}: ${kind.summary}`,
    value: code`kindHandler<${types}>(run, ${printObjectLiteral(entries)})`,
  };
}

/** Expects the settings that a plugin's function receives. */
export function expectPluginSettings(
  declaration: JsonObject,
  tool: Pick<FlatTool, "spec">,
): { readonly [key: string]: unknown } {
  return { declaration, input: expectWholeInput(tool) };
}

function expectPluginKind(declaration: JsonObject, { tool, plan }: ExpectedSubject): RecordedCall {
  const { module = "", export: exported = "" } = findPluginKind(tool.spec, plan) ?? {};
  const run = (...given: readonly unknown[]): RecordedCall => createRecordedCall(exported, module, given);
  return createRecordedCall("kindHandler", CODEGEN_ENTRIES.runtime, [run, expectPluginSettings(declaration, tool)]);
}
