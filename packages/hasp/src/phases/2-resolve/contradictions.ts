import { READ_ONLY_ENTAILS } from "@hasp/runtime";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { SpecRule } from "../../model/spec.js";
import type { ToolModel } from "../../model/tool.js";
import { resolveDiagnostics } from "./diagnostics.js";
import { ENTAILED_FLAGS } from "./metadata.js";

/** Values of one spec that cannot both be meant. */
export function findContradictions(tool: ToolModel): readonly Diagnostic[] {
  const { spec } = tool;
  const { concurrency = {}, behavior = {} } = spec;
  const diagnostics: Diagnostic[] = [];
  const contradict = (claim: string, pointer: string, other: string, otherPointer: string): void => {
    const related = [{ location: tool.locate(otherPointer), message: `"${other}" is stated here` }];
    diagnostics.push(
      resolveDiagnostics(
        "contradiction",
        tool.locate(pointer),
        { variant: other.includes("READ_ONLY") ? "entailed" : "stated", claim, other },
        { tool: tool.name, related },
      ),
    );
  };

  /** Judges one set of flags: the tool's own, or those of one row. */
  const judge = (
    flags: typeof behavior | SpecRule,
    folder: string,
    ownClass: string | undefined,
    classPointer: string,
  ): void => {
    for (const name of ENTAILED_FLAGS) {
      const value = flags[name];
      if (ownClass === "READ_ONLY" && value !== undefined && value !== READ_ONLY_ENTAILS[name]) {
        contradict(`${name}: ${words(value)}`, `${folder}/${name}`, "class: READ_ONLY", classPointer);
      }
    }
    if (ownClass !== "READ_ONLY" && flags.isReadOnly === true && flags.isDestructive === true) {
      contradict("isDestructive: true", `${folder}/isDestructive`, "isReadOnly: true", `${folder}/isReadOnly`);
    }
  };

  judge(behavior, "/behavior", concurrency.class, "/concurrency/class");
  for (const [index, rule] of (concurrency.rules ?? []).entries()) {
    const folder = `/concurrency/rules/${index}`;
    judge(rule, folder, rule.class, `${folder}/class`);
  }
  if (spec.visibility?.shouldDefer === true && spec.visibility.alwaysLoad === true) {
    diagnostics.push(
      resolveDiagnostics("deferred-and-loaded", tool.locate("/visibility/alwaysLoad"), undefined, { tool: tool.name }),
    );
  }
  return diagnostics;
}

/** A flag's value as its author wrote it, on one line. */
function words(value: boolean | string | object): string {
  if (typeof value !== "object") return String(value);
  const [[key, text] = ["", ""]] = Object.entries(value);
  return `{ ${key}: ${String(text)} }`;
}
