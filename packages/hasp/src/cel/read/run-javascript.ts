import { type Context, createContext, Script } from "node:vm";
import * as runtime from "@hasp/runtime/codegen/v1";
import { once } from "../../model/once.js";

/** What a condition answers for an input; `"error"` where it throws. */
export type Answer = boolean | "error";

/** Runs printed conditions. */
export interface Sandbox {
  /**
   * The answers of a condition for some inputs. `printed` must have been read back: what hasp did not print never runs,
   * and what can be read back ends, since it loops over lists of the input only. Throws for an answer that is neither
   * true nor false.
   */
  answers(printed: string, helpers: Iterable<string>, inputs: readonly unknown[]): readonly Answer[];
}

/** Creates a sandbox: a realm of its own, with the functions of the runtime that conditions may call and nothing else. */
export function createSandbox(): Sandbox {
  const realm = once((): Context =>
    createContext(Object.create(null) as object, { codeGeneration: { strings: false, wasm: false } }),
  );
  return {
    answers(printed, helpers, inputs) {
      const functions = Object.fromEntries([...helpers].map((name) => [name, Reflect.get(runtime, name) as unknown]));
      const script = new Script(
        `"use strict"; (inputs, { ${Object.keys(functions).join(", ")} }) => inputs.map((value) => {
try { return (${printed})(value); } catch { return "error"; }
})`,
        { filename: "condition.js" },
      );
      const run = script.runInContext(realm()) as (inputs: readonly unknown[], helpers: object) => readonly unknown[];
      return run(inputs, functions).map((answer) => {
        if (typeof answer === "boolean" || answer === "error") return answer;
        throw new TypeError("A printed condition must answer true or false.");
      });
    },
  };
}
