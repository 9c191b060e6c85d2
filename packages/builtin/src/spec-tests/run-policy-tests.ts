import { providerSearch } from "@hasp/runtime/search";
import { dropUndefined } from "@hasp/base/json";
import {
  buildTool,
  createDispatcher,
  createPermissions,
  type PermissionDecision,
  type PermissionRule,
} from "@hasp/runtime";
import type { PolicyModel, PolicyRule, PolicyTest } from "@hasp/compiler/model";
import type { CompiledPredicate } from "@hasp/compiler/conditions";
import type { ShownClaim } from "@hasp/compiler/claims";
import { createDefinition } from "@hasp/compiler/run";
import type { SpecTestResult } from "./run-spec-tests.js";

/** Runs policy tests through the dispatcher. An allowed call fails if a claim behind it lacks a valid approval. */
export async function runPolicyTests(
  policies: readonly PolicyModel[],
  claims: readonly ShownClaim[],
): Promise<readonly SpecTestResult[]> {
  const results: SpecTestResult[] = [];
  for (const policy of policies) {
    for (const [index, test] of (policy.spec.tests ?? []).entries()) {
      const { outcome, reason } = await becomesOf(policy, test);
      const { tool, input, context, expect } = test;
      const open = outcome === "allow" ? openClaims(policy, tool, claims) : [];
      const isMet = outcome === expect && open.length === 0;
      const location = policy.document.locate(`/tests/${index}`);
      const message =
        outcome === expect
          ? `The call is allowed, but nobody has approved this: ${open.join("; ")}`
          : `Expected ${expect}, but the call is ${WORDS[outcome]}${reason === undefined ? "" : `: ${reason}`}`;
      results.push({
        tool: policy.name,
        kind: "policy",
        index,
        title: JSON.stringify({ tool, input, context, expect }),
        location,
        status: isMet ? "passed" : "failed",
        problems: isMet ? [] : [{ message, location: policy.document.locate(`/tests/${index}/expect`) }],
      });
    }
  }
  return results;
}

function openClaims(policy: PolicyModel, tool: string, claims: readonly ShownClaim[]): readonly string[] {
  return claims
    .filter(
      (claim) =>
        claim.tool.name === tool &&
        claim.state !== "approved" &&
        (claim.grant === undefined || claim.grant.policy.name === policy.name),
    )
    .map(({ claim, state }) => `${claim} (${state})`);
}

const WORDS: { readonly [outcome in PermissionDecision | "invalid"]: string } = {
  allow: "allowed",
  ask: "put to a person",
  deny: "denied",
  invalid: "invalid",
};

interface PolicyTestOutcome {
  readonly outcome: PermissionDecision | "invalid";
  readonly reason?: string;
}

async function becomesOf(policy: PolicyModel, test: PolicyTest): Promise<PolicyTestOutcome> {
  const { spec, rules, tools } = policy;
  const tool = tools.find(({ name }) => name === test.tool);
  if (tool === undefined) return { outcome: "invalid", reason: `there is no tool "${test.tool}".` };
  let [isAsked, hasRun] = [false, false];
  const built = buildTool({
    ...createDefinition(tool, strictly),
    input: tool.input.schema,
    aliases: tool.spec.aliases,
    execute: () => {
      hasRun = true;
      return "";
    },
  });
  const dispatcher = createDispatcher({
    tools: [built],
    extensions: [providerSearch],
    // Use live permissions: a policy names other tools too, and may leave nobody to ask.
    permissions: createPermissions({
      deny: spec.deny,
      rules: rules.map(ruleOf),
      mode: spec.mode,
      ask: () => {
        isAsked = true;
        return "deny";
      },
    }),
  });
  const [result] = await dispatcher.dispatch([{ id: "test", name: test.tool, input: test.input }], {
    context: test.context ?? {},
  });
  if (hasRun) return { outcome: "allow" };
  if (isAsked) return { outcome: "ask" };
  const { phase, message } = result?.error ?? {};
  const isInvalid = phase === "decode" || phase === "schema" || phase === "semantic";
  return { outcome: isInvalid ? "invalid" : "deny", ...dropUndefined({ reason: message }) };
}

/** Returns a condition's function. Handler functions are missing here, so their conditions fail: the strict answer. */
function strictly(predicate: CompiledPredicate): (input: unknown) => boolean {
  if (predicate.kind === "expression") return predicate.evaluate;
  return () => {
    throw new Error(`${predicate.name} is a function of the handler.`);
  };
}

function ruleOf({ tool, server, decision, reason, flow, predicate }: PolicyRule): PermissionRule {
  const when: PermissionRule["when"] = predicate && ((input, { context }) => predicate.evaluate({ input, context }));
  const ruling = { decision, reason, when, flow };
  return server === undefined ? { tool, ...ruling } : { tool, server, ...ruling };
}
