import { proveCondition, type Sandbox } from "../../cel/index.js";
import type { BuildToEmit } from "../../emitters/base/emitter.js";
import { policyConstant } from "../../emitters/policy-modules.js";
import type { OutputFile } from "../../model/output.js";
import { isSameJson } from "../../model/same-json.js";
import type { PolicyModel, PolicyRule } from "../../policies/policy.js";
import { ReadCode, readModule, type ReadModule, type ReadValue } from "../../typescript/read-module.js";
import { fault } from "./fault.js";

/** How the conditions of policies are proved. */
export interface PolicyProof {
  readonly sandbox: Sandbox;
  /** Most calls for which one condition is run. */
  readonly inputsPerCondition: number;
}

/** Proves that each policy's module says what its policy says, in the same order. Throws otherwise: a bug in hasp. */
export function provePolicies(
  { policies, layout }: BuildToEmit,
  files: readonly OutputFile[],
  proof: PolicyProof,
): void {
  for (const policy of policies) {
    const path = layout.policy(policy.toolset);
    const file = files.find((each) => each.path === path) ?? fault(path, "it was not written");
    provePolicy(policy, readModule(file), proof);
  }
}

function provePolicy({ spec, rules }: PolicyModel, module: ReadModule, proof: PolicyProof): void {
  const written = entries(module.constant(policyConstant));
  const found = Array.isArray(written["rules"]) ? (written["rules"] as readonly ReadValue[]) : [];
  const { rules: _, ...others } = written;
  const expected = {
    ...(spec.deny === undefined ? {} : { deny: spec.deny }),
    ...(spec.mode === undefined ? {} : { mode: spec.mode }),
  };
  if (!isSameJson(others as never, expected as never)) fault(module.path, "its patterns or its mode differ");
  if (found.length !== rules.length) fault(module.path, "it has not the same rules");
  for (const rule of rules) proveRule(rule, entries(found[rule.index]), module, proof);
}

function proveRule(
  { index, tool, server, decision, reason, predicate, call, when: source }: PolicyRule,
  found: { readonly [key: string]: ReadValue },
  module: ReadModule,
  { sandbox, inputsPerCondition: limit }: PolicyProof,
): void {
  const place = `rule ${index + 1}`;
  const { when, ...others } = found;
  const expected = {
    tool,
    ...(server === undefined ? {} : { server }),
    decision,
    ...(reason === undefined ? {} : { reason }),
  };
  if (!isSameJson(others as never, expected as never)) fault(module.path, `${place} differs`);
  if (predicate === undefined && when === undefined) return;
  if (predicate === undefined || !(when instanceof ReadCode)) fault(module.path, `the condition of ${place} differs`);
  const proved = proveCondition(when, { predicate, input: call ?? true, given: [], sandbox, limit });
  if ("fault" in proved) {
    fault(module.path, `the condition of ${place}, "${when.text}", ${proved.fault}; the policy says "${source ?? ""}"`);
  }
  for (const helper of proved.helpers) {
    if (module.imports.get(helper)?.from !== "@hasp/runtime/codegen/v1" || module.names.includes(helper)) {
      fault(module.path, `${helper} is not the function of the runtime`);
    }
  }
}

function entries(value: ReadValue | undefined): { readonly [key: string]: ReadValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ReadCode)
    ? (value as { readonly [key: string]: ReadValue })
    : {};
}
