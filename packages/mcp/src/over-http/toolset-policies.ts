import { hasWildcard, namesTool } from "../../../runtime/src/dispatch/permissions/tool-pattern.js";
import type { AnyTool, PermissionMode, PermissionPolicy, PermissionRule } from "@hasp/runtime";
import { READ_RESULT, TOOL_SEARCH } from "../../../runtime/src/tool/tool-names.js";

interface PolicyPart {
  readonly tools: readonly AnyTool[];
  readonly policy: PermissionPolicy | undefined;
}

/** The strictest first. */
const MODES: readonly PermissionMode[] = ["plan", "unattended", "ask", "accept-writes"];
const BUILT_IN: readonly string[] = [TOOL_SEARCH, READ_RESULT];

/**
 * Joins the policies of several toolsets: each tool has the rules of its own toolset; the strictest mode holds. A tool
 * of several toolsets belongs to the first.
 */
export function joinPolicies(parts: readonly PolicyPart[]): PermissionPolicy {
  const policies = new Set(parts.map(({ policy }) => policy));
  const [only] = policies;
  if (policies.size <= 1) return only ?? {};
  const taken = new Set<AnyTool>();
  const own = parts.map(({ tools, policy = {} }) => {
    const first = tools.filter((tool) => !taken.has(tool));
    for (const tool of first) taken.add(tool);
    return { tools: first, policy };
  });
  const modes = own.map(({ policy }) => policy.mode ?? "ask");
  return {
    deny: own.flatMap(({ tools, policy }) => deniedNames(tools, policy)),
    rules: own.flatMap(({ tools, policy: { rules = [] } }) => {
      const names = new Set([...tools.map(({ name }) => name), ...BUILT_IN]);
      return rules.map((rule) => limitedTo(names, rule));
    }),
    mode: MODES.find((mode) => modes.includes(mode)) ?? "plan",
  };
}

function deniedNames(tools: readonly AnyTool[], { deny = [] }: PermissionPolicy): readonly string[] {
  const denied = tools.filter((tool) => deny.some((pattern) => namesTool(pattern, { tool })));
  return [...denied.map(({ name }) => name), ...BUILT_IN.filter((name) => deny.includes(name))];
}

/** Limits a rule to these tools; a rule for a single tool stays if that is one of them. */
function limitedTo(names: ReadonlySet<string>, rule: PermissionRule): PermissionRule {
  if (!hasWildcard(rule) && names.has(rule.tool)) return rule;
  const { when } = rule;
  return {
    ...rule,
    when: (input, request) => names.has(request.toolName) && (when === undefined || when(input, request)),
  };
}
