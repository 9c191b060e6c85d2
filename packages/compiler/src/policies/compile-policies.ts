import { type Diagnostic, type Found, findSuggestions } from "@hasp/base/diagnostics";
import type { Approvals } from "../ledger/claims.js";
import type { CompileContext } from "../context/context.js";
import type { PolicyModel, PolicyRule, PolicyRuleSpec, PolicySpec } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { listDeclaredTools, type LoadedDocument } from "../model/document.js";
import { checkPolicyLedgers } from "./policy-claims.js";
import type { JsonObject, JsonSchema } from "@hasp/schema";
import { createPredicateCompiler } from "../cel/compile-predicate.js";
import { readPolicyName } from "../ledger/ledger-file.js";
import { mapMembers, dropUndefined, isObject } from "@hasp/base/json";
import type { CompilePlan } from "../model/plan.js";
import { listToolsetMembers } from "../model/toolset-members.js";
import { createFormatCheck } from "../spec/own-schema.js";
import { policySchema } from "../spec/policy-schema.js";
import { policyDiagnostics } from "./diagnostics.js";
import { hasWildcard, findMatchingTools } from "./grants.js";

export function checkPolicies(
  tools: readonly FlatTool[],
  { plan, documents, sources, plugins }: Pick<CompileContext, "plan" | "documents" | "sources" | "plugins">,
  approvals: Approvals,
): Found<readonly PolicyModel[]> {
  if (plan.toolsets.every(({ policy }) => policy === undefined)) return { value: [], diagnostics: [] };
  const usable = new Set(tools.map(({ name }) => name));
  const broken = listDeclaredTools(documents).flatMap(({ name }) => (usable.has(name) ? [] : [name]));
  const { value, diagnostics } = compilePolicies(documents, tools, plan, {
    broken,
    unparsed: findUnparsedPolicies({ documents, sources }),
  });
  return {
    value,
    diagnostics: [...diagnostics, ...plugins.lintPolicies(value), ...checkPolicyLedgers(value, approvals, plan)],
  };
}

/** Lists the policies with errors that `load` has reported. */
export function findUnparsedPolicies({
  documents,
  sources,
}: Pick<CompileContext, "documents" | "sources">): readonly string[] {
  return sources
    .filter(({ uri, role }) => role === "policy" && !documents.some((document) => document.uri === uri))
    .map(({ uri }) => uri);
}

const checkPolicy = createFormatCheck(policySchema, "Policy");

/** Tools and policies with errors that earlier phases have reported. */
interface Faulty {
  readonly broken?: readonly string[];
  readonly unparsed?: readonly string[];
}

/** Compiles the policies of the plan's toolsets and omits those with errors. */
export function compilePolicies(
  documents: readonly LoadedDocument[],
  tools: readonly FlatTool[],
  plan: Pick<CompilePlan, "toolsets" | "locations">,
  { broken = [], unparsed = [] }: Faulty = {},
): Found<readonly PolicyModel[]> {
  const value: PolicyModel[] = [];
  const diagnostics: Diagnostic[] = [...sameNames(plan)];
  const members = new Map(listToolsetMembers(tools, plan.toolsets).map((toolset) => [toolset.name, toolset.tools]));
  for (const { name: toolset, policy: path } of plan.toolsets) {
    if (path === undefined || unparsed.includes(path)) continue;
    const document = documents.find(({ uri, role }) => role === "policy" && uri === path);
    if (document === undefined) {
      const location = plan.locations?.[`/toolsets/${toolset}/policy`];
      diagnostics.push(policyDiagnostics("not-found", location, { path, toolset }));
      continue;
    }
    const found = compilePolicy(document, toolset, members.get(toolset) ?? [], broken);
    diagnostics.push(...found.diagnostics);
    if (found.value !== undefined) value.push(found.value);
  }
  return { value, diagnostics };
}

/** Reports policies with equal file names, by which the ledger tells policies apart. */
function sameNames({ toolsets, locations }: Pick<CompilePlan, "toolsets" | "locations">): readonly Diagnostic[] {
  const byName = new Map<string, string>();
  return toolsets.flatMap(({ name: toolset, policy: path }) => {
    if (path === undefined) return [];
    const other = byName.get(readPolicyName(path)) ?? path;
    byName.set(readPolicyName(path), other);
    const location = locations?.[`/toolsets/${toolset}/policy`];
    return other === path ? [] : [policyDiagnostics("same-name", location, { path, other })];
  });
}

function compilePolicy(
  document: LoadedDocument,
  toolset: string,
  tools: readonly FlatTool[],
  broken: readonly string[],
): Found<PolicyModel | undefined> {
  const { value, locate } = document;
  if (!isObject(value)) {
    return { value: undefined, diagnostics: [policyDiagnostics("not-a-policy", locate(""))] };
  }
  const problems = checkPolicy(value).map(({ kind, pointer, part, parameters }) =>
    policyDiagnostics(kind, locate(pointer, part), parameters),
  );
  if (problems.length > 0) return { value: undefined, diagnostics: problems };
  // The check above has proved this type.
  const spec = value as unknown as PolicySpec;
  const diagnostics: Diagnostic[] = [];
  const names = tools.flatMap(({ name, spec: { aliases = [] } }) => [name, ...aliases]);
  const expectTool = (
    pattern: string,
    pointer: string,
    isKnown = findMatchingTools(tools, pattern).length > 0,
  ): void => {
    if (isKnown || broken.length > 0 || isOfRuntime(pattern)) return;
    const nearest = findSuggestions(pattern, names);
    diagnostics.push(policyDiagnostics("unknown-tool", locate(pointer), { toolset, pattern, nearest }));
  };
  for (const [index, pattern] of (spec.deny ?? []).entries()) expectTool(pattern, `/deny/${index}`);
  const context = contextSchema(spec);
  const rules = (spec.rules ?? []).map((rule, index): PolicyRule => {
    if (rule.server === undefined) expectTool(rule.tool, `/rules/${index}/tool`);
    const obstacle = obstacleToWaiver(rule, tools);
    if (obstacle !== undefined) {
      const tool = rule.server !== undefined && hasWildcard(rule.server) ? rule.server : rule.tool;
      const parameters = { variant: obstacle, tool };
      diagnostics.push(policyDiagnostics("cannot-waive", locate(`/rules/${index}/flow`), parameters));
    }
    if (rule.when === undefined) return { ...rule, index };
    const call = describeCall(rule, tools, context);
    const { predicate, problems: faults } = createPredicateCompiler(call.schema, { variables: call.variables })(
      rule.when,
    );
    const at = locate(`/rules/${index}/when`);
    for (const { parameters } of faults) {
      const readsInput = call.variables.length === 1 && /\binput\b/u.test(rule.when);
      diagnostics.push(
        readsInput ? policyDiagnostics("input-of-several-tools", at) : policyDiagnostics("predicate", at, parameters),
      );
    }
    return { ...rule, index, call: call.schema, ...dropUndefined({ predicate }) };
  });
  for (const [index, { tool }] of (spec.tests ?? []).entries()) {
    const isKnown = tools.some(({ name }) => name === tool);
    expectTool(tool, `/tests/${index}/tool`, isKnown);
  }
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  return { value: { toolset, name: readPolicyName(document.uri), document, spec, rules, tools, context }, diagnostics };
}

/** Finds the reason why a rule cannot waive the guard of flows. */
function obstacleToWaiver(
  { flow, decision, tool, server }: PolicyRuleSpec,
  tools: readonly FlatTool[],
): "deny" | "wildcard" | "alias" | "server" | undefined {
  if (flow === undefined) return undefined;
  if (decision === "deny") return "deny";
  if (hasWildcard(tool) || hasWildcard(server ?? "")) return "wildcard";
  if (server !== undefined) return undefined;
  if (tool.startsWith("mcp__")) return "server";
  return findMatchingTools(tools, tool).length === 0 || tools.some(({ name }) => name === tool) ? undefined : "alias";
}

/** True for tools of live MCP servers and the runtime's own, which no spec declares. */
function isOfRuntime(pattern: string): boolean {
  return pattern.startsWith("mcp__") || ["tool_search", "read_result", "run_program", "search_tools"].includes(pattern);
}

function contextSchema({ context = {} }: PolicySpec): JsonSchema {
  return {
    type: "object",
    properties: mapMembers(context, ({ ...field }) => fieldSchema(field)),
    required: Object.keys(context),
  };
}

/** Fills in the type `array` if a field has items. */
function fieldSchema(field: JsonObject): JsonObject {
  return field["items"] === undefined || field["type"] !== undefined ? field : { type: "array", ...field };
}

/** Describes the call that a condition reads. Only a rule for one tool knows the input. */
export function describeCall(
  { tool, server }: Pick<PolicyRuleSpec, "tool" | "server">,
  tools: readonly FlatTool[],
  context: JsonSchema,
): { readonly schema: JsonSchema; readonly variables: readonly string[] } {
  const [only] = server === undefined && !hasWildcard(tool) ? findMatchingTools(tools, tool) : [];
  if (only === undefined) {
    return { schema: { type: "object", properties: { context }, required: ["context"] }, variables: ["context"] };
  }
  const input = only.input.schema;
  const { $defs, ...own } = typeof input === "boolean" ? { $defs: undefined } : input;
  return {
    schema: {
      type: "object",
      ...dropUndefined({ $defs }),
      properties: { input: typeof input === "boolean" ? input : own, context },
      required: ["input", "context"],
    },
    variables: ["input", "context"],
  };
}
