import { type Context, createContext, Script } from "node:vm";
import * as runtime from "@hasp/runtime/codegen/v1";
import { once } from "../../model/once.js";

/** What a condition answers for an input; `"error"` where it throws. */
export type Answer = boolean | "error";

/** Runs printed conditions. */
export interface Sandbox {
  /**
   * The answers of a condition for some inputs. `printed` must have been read back: what hasp did not print never runs.
   * Throws where a condition takes too long, or answers anything but true or false.
   */
  answers(printed: string, helpers: Iterable<string>, inputs: readonly unknown[]): readonly Answer[];
}

/** Milliseconds for all inputs of one condition; the checker has bounded the loops. */
const TIME_LIMIT = 5000;

/** Creates a sandbox: a realm of its own, with the functions of the runtime that conditions may call and nothing else. */
export function createSandbox(): Sandbox {
  const realm = once((): Context =>
    createContext(Object.create(null) as object, { codeGeneration: { strings: false, wasm: false } }),
  );
  return {
    answers(printed, helpers, inputs) {
      const functions = Object.fromEntries([...helpers].map((name) => [name, Reflect.get(runtime, name) as unknown]));
      const context = Object.assign(realm(), { functions, inputs });
      const script = new Script(
        `"use strict"; ((inputs, { ${Object.keys(functions).join(", ")} }) => inputs.map((value) => {
try { return (${printed})(value); } catch { return "error"; }
}))(inputs, functions)`,
        { filename: "condition.js" },
      );
      return (script.runInContext(context, { timeout: TIME_LIMIT }) as readonly unknown[]).map((answer) => {
        if (typeof answer === "boolean" || answer === "error") return answer;
        throw new TypeError("A printed condition must answer true or false.");
      });
    },
  };
}
