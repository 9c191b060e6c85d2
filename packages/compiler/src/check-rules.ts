import { isStructured, sortBy } from "@hasp/base/json";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { createContext, type Plugins } from "./context/context.js";
import type { SourceText } from "./model/document.js";
import type { CompilePlan } from "./model/plan.js";
import { load } from "./phases/1-load/index.js";
import { resolve } from "./phases/2-resolve/index.js";
import { flatten } from "./phases/3-flatten/index.js";
import { runRules } from "./phases/4-check/run-rules.js";

/** Runs rules alone, over a model that nothing can change, and returns their findings only. */
export async function checkRules(
  sources: readonly SourceText[],
  plan: CompilePlan,
  plugins: Plugins,
): Promise<readonly Diagnostic[]> {
  const { value: documents } = load(sources);
  await plugins.handlerKinds.load(documents, plan);
  const context = createContext({ plan, plugins, sources, documents });
  const { tools, refused } = flatten(resolve(documents, context).value, context).value;
  const all = sortBy([...tools, ...refused], ({ name }) => name);
  // List the nodes first: schemas do it lazily, and a frozen one could not store them.
  for (const { input, output } of all) void [input.nodes, output?.nodes];
  freezeDeeply([all, documents, plan]);
  return runRules(plugins.rules, all, context);
}

/** Freezes plain data, and makes maps and sets refuse changes. */
function freezeDeeply(value: unknown, seen: Set<unknown> = new Set()): void {
  if (!isStructured(value) || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Map || value instanceof Set) {
    for (const method of ["add", "set", "delete", "clear"]) {
      Object.defineProperty(value, method, { value: refuseChange });
    }
    for (const each of value.values()) freezeDeeply(each, seen);
  } else {
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) {
      freezeDeeply(descriptor.value, seen);
    }
  }
  Object.freeze(value);
}

function refuseChange(): never {
  throw new TypeError("Cannot change the model");
}
