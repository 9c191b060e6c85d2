import { pathToFileURL } from "node:url";
import { ownMember } from "../../../compiler/src/model/json.js";
import { importModule, withinLimit, type WorkLimit } from "./import-module.js";
import { firstLine } from "./load-registry.js";

/** The context of handlers. */
export interface LoadedContext {
  readonly context: unknown;
  /** Disposes it. Returns the reason if that failed; never rejects. */
  close(): Promise<string | undefined>;
}

/** A context may start a database, but not block forever. */
const CREATION: WorkLimit = { seconds: 60, lapse: "it did not create one" };
const DISPOSAL: WorkLimit = { seconds: 5, lapse: "it was not disposed" };

/** The reason for a missing context. */
type ContextFault = { readonly fault: "missing" } | { readonly fault: "fails"; readonly reason: string };

/** Imports a user's module that exports a context, or a function that creates one. The context may be disposable. */
export async function loadContext(file: string, name: string): Promise<LoadedContext | ContextFault> {
  try {
    const loaded: unknown = await importModule(pathToFileURL(file).href);
    const exported = ownMember(loaded, name);
    if (exported === null || (typeof exported !== "function" && typeof exported !== "object")) {
      return { fault: "missing" };
    }
    const context: unknown =
      typeof exported === "object"
        ? exported
        : await withinLimit(Promise.resolve(Reflect.apply(exported, undefined, [])), CREATION);
    return { context, close: async () => dispose(context) };
  } catch (error) {
    return { fault: "fails", reason: firstLine(error) };
  }
}

/** Node 20 has the symbols, not the syntax. */
async function dispose(context: unknown): Promise<string | undefined> {
  if (typeof context !== "object" || context === null) return undefined;
  try {
    const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = context as Partial<AsyncDisposable & Disposable>;
    await withinLimit(Promise.resolve(Reflect.apply(later ?? now ?? (() => undefined), context, [])), DISPOSAL);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}
