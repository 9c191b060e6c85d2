import type { JsonValue } from "@hasp/schema";
import { isObject, once, readOwnMember } from "@hasp/base/json";
import { listSpecs, type LoadedDocument } from "../model/document.js";
import {
  type Connections,
  declarationOf,
  type Effect,
  type HandlerDeclaration,
  type HandlerFormats,
  isPluginKind,
  type KindFormats,
} from "../model/handlers.js";
import type { ToolSpec } from "../model/spec-keys.js";
import type { FlatTool } from "../model/tool.js";
import { PLUGIN_FORMATS } from "../spec/handler-schema.js";
import { createSpecFormat, type SpecFormat } from "../spec/spec-format.js";
import type { HandlerKind, HandlerKindParts } from "./handler-kind.js";
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

/** Creates the kinds of a program, with the code that all kinds of plugins share. Throws if two have the same name. */
export function createHandlerKinds(kinds: readonly HandlerKind[], pluginKind?: HandlerKindParts): HandlerKinds {
  const known = new Map<string, HandlerKind>();
  for (const kind of kinds) {
    if (known.has(kind.name)) throw new Error(`Two plugins declare the handler kind "${kind.name}".`);
    known.set(kind.name, kind);
  }
  const loaded = new Map<string, HandlerKindParts>();
  const names = [...known.keys()];
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
      const parts = known.has(key) ? loaded.get(key) : pluginKind;
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
  return listSpecs(file).flatMap((spec) => {
    const handler: JsonValue | undefined = readOwnMember(spec, "handler");
    if (typeof handler === "string") return [handler];
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
