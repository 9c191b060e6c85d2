import { mapMembers, dropUndefined } from "@hasp/base/json";
import { matchesPattern } from "@hasp/runtime/contract";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { sampleValues } from "@hasp/schema/internal/generate";
import type { FlatTool } from "@hasp/compiler";
import type { PolicyModel } from "@hasp/compiler/model";
import { type FlowGuard, GUARDS, type ToolsetFlow } from "@hasp/compiler/claims";
import type { FlowSummary, PolicyMatch, PolicySummary } from "../model.js";

export function summarizePolicy({ toolset, document, spec, rules }: PolicyModel): PolicySummary {
  return {
    toolset,
    uri: document.uri,
    ...dropUndefined({ description: spec.description, mode: spec.mode }),
    deny: spec.deny ?? [],
    ...(spec.context === undefined ? {} : { context: sampleContext(spec.context) }),
    rules: rules.map(({ tool, server, decision, reason, when, predicate }) =>
      dropUndefined({ tool, decision, server, reason, when, condition: predicate?.expression }),
    ),
  };
}

export function summarizeFlow({ toolset, untrusted, private: secret, sinks }: ToolsetFlow): FlowSummary {
  const names = (tools: readonly FlatTool[]): readonly string[] => tools.map(({ name }) => name);
  const lines = (Object.keys(GUARDS) as readonly FlowGuard[]).map((guard) => ({
    guard: GUARDS[guard],
    isWaived: guard === "waived",
    tools: names(sinks.filter((sink) => sink.guard === guard).map(({ tool }) => tool)),
  }));
  return {
    toolset,
    untrusted: names(untrusted),
    private: names(secret),
    sinks: lines.filter(({ tools }) => tools.length > 0),
  };
}

function sampleContext(fields: NonNullable<PolicyModel["spec"]["context"]>): JsonObject {
  return mapMembers(fields, (schema) => [...sampleValues(schema, { most: 16 })].find(isShown) ?? null);
}

/** True for a useful example, so not for the empty value of a type. */
function isShown(value: JsonValue): boolean {
  return value !== "" && value !== null;
}

export function findPolicyMatches(tool: FlatTool, policies: readonly PolicyModel[]): readonly PolicyMatch[] {
  const names = [tool.name, ...(tool.spec.aliases ?? [])];
  const isMatched = (pattern: string): boolean => names.some((name) => matchesPattern(pattern, name));
  return policies
    .filter(({ tools }) => tools.some(({ name }) => name === tool.name))
    .flatMap(({ toolset, document, spec, rules }) => {
      const denied = spec.deny?.find(isMatched);
      const matching = rules.flatMap((rule, index) =>
        rule.server === undefined && isMatched(rule.tool) ? [index] : [],
      );
      if (denied === undefined && matching.length === 0) return [];
      return [dropUndefined({ toolset, uri: document.uri, denied, rules: matching })];
    });
}
