import type { JsonSchema } from "@hasp/schema";
import { defineExtension } from "../../dispatch/state/define-extension.js";
import type { DispatcherExtension } from "../../dispatch/state/extension.js";
import { READ_RESULT } from "../../tool/tool-names.js";
import { aText } from "../../tool/shape.js";
import { makeToolWith } from "../../tool/make-tool.js";
import type { Tool } from "../../tool/definition.js";
import { cut, plainText } from "../../results/text.js";
import type { MemoryResultStore, ReadResultInput, ResultStore } from "../../results/result-store.js";
import { toolResult } from "../../results/tool-result.js";

export type { MemoryResultStore, ReadResultInput, ResultStore };

/** Keeps results whole that are cut for the model, by default in memory, and offers the tool that reads them. */
export function storedResults(store?: ResultStore): DispatcherExtension<ResultStore> {
  return defineExtension({
    name: "results",
    attach(host) {
      const api = store ?? memoryResultStore();
      if (typeof api.put !== "function") throw new TypeError("a result store needs the method `put`");
      const { readTool } = api;
      // A model may know a reference from another process.
      let isUsed = api.isOfManyProcesses === true;
      let isOffered = isUsed;
      let isListed = false;
      return {
        api,
        resultStore: {
          readTool,
          get reader() {
            if (readTool === undefined) return "elsewhere";
            return isListed ? "read_result" : "nowhere";
          },
          async put(result) {
            const reference = await api.put(result);
            isUsed ||= aText.fits(reference);
            return reference;
          },
        },
        listed(_, { isFixed }) {
          isListed = true;
          isUsed ||= isFixed;
        },
        tools: {
          // A program may read what it has just stored.
          add: () => (readTool !== undefined && (isOffered || host.has("programs")) ? [{ tool: readTool }] : []),
          renew: () => isUsed !== isOffered && (isOffered = isUsed),
        },
      };
    },
  });
}

/**
 * Creates a store that keeps results as text, at most `mostChars` characters together (default ten million); the oldest
 * go first. It refuses a result that alone exceeds this, and the model then gets a preview that says so. Nobody can guess
 * a reference: the conversations of a dispatcher share the store.
 */
export function memoryResultStore({ mostChars = 10_000_000 }: { readonly mostChars?: number } = {}): MemoryResultStore {
  const texts = new Map<string, string>();
  let kept = 0;

  const get = (reference: string): string | undefined => texts.get(reference);
  return {
    get,
    readTool: createReadTool(get),
    put({ toolName, content }) {
      const text = plainText(content);
      if (text.length > mostChars) throw new RangeError(`the result has more than ${mostChars} characters`);
      for (const [oldest, { length }] of texts) {
        if (kept + text.length <= mostChars) break;
        texts.delete(oldest);
        kept -= length;
      }
      const reference = `${toolName}-${crypto.randomUUID()}`;
      texts.set(reference, text);
      kept += text.length;
      return reference;
    },
  };
}

const describeInput = (): JsonSchema => ({
  type: "object",
  required: ["reference"],
  properties: {
    reference: { type: "string", description: "The reference from the cut result." },
    from: { type: "integer", minimum: 0, default: 0, description: "The first character to read, counted from 0." },
    length: {
      type: "integer",
      minimum: 1,
      maximum: 20_000,
      default: 10_000,
      description: "The most characters to read.",
    },
  },
  additionalProperties: false,
});

/** Creates the tool that reads stored results part by part; `get` returns the whole text behind a reference. */
export function createReadTool(
  get: (reference: string) => string | undefined | Promise<string | undefined>,
): Tool<ReadResultInput, unknown> {
  return makeToolWith<ReadResultInput, unknown, unknown>(
    {},
    {
      name: READ_RESULT,
      description:
        "Read more of a result that was cut because of its length. Pass the reference that the cut result names.",
      input: describeInput,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      // A part is short by itself. If it were stored in turn, reading would never end.
      limits: { maxResultSizeChars: "unlimited" },
      async execute({ reference, from, length }) {
        const text = await get(reference);
        if (text === undefined) {
          return toolResult({ isError: true, content: `Nothing is stored at "${cut(reference, 80)}".` });
        }
        const last = text.charCodeAt(from + length - 1);
        // Never half a surrogate pair.
        const part = text.slice(from, from + length + (last >= 0xd800 && last <= 0xdbff ? 1 : 0));
        const next = from + part.length;
        const rest =
          next < text.length
            ? `[Continue from ${next}; the whole result has ${text.length} characters.]`
            : "[This is the end.]";
        return `${part}\n${rest}`;
      },
    },
  );
}
