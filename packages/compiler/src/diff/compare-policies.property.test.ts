import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { buildTool, createDispatcher, type Dispatcher, type PermissionDecision } from "@hasp/runtime";
import { expect, test } from "vitest";
import { completePlan } from "../model/complete-plan.js";
import { createDefinition } from "../run/classify.js";
import { compileVersion } from "../../../../test/compiler/context.testing.js";
import { compareVersions } from "./compare-versions.js";
import type { Version } from "./version.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 15);

const NAMES = ["pay_a", "pay_b", "get_a"];
const NEW_NAMES = ["pay_c", "get_c", "old_a"];
const ALIASES = ["old_a", "old_b", "pay_old", "get_old"];
const PATTERNS = [...NAMES, ...ALIASES, "pay_*", "get_*", "old_*", "*_a", "*_old"];
const CONDITIONS = ["context.plan == 'free'", "context.plan != 'free'"];

interface Tool extends JsonObject {
  readonly name: string;
  readonly aliases: readonly string[];
}

interface Project {
  readonly tools: readonly Tool[];
  readonly deny: readonly string[];
  readonly rules: readonly JsonObject[];
  readonly mode: string;
}

/** A project after an edit, and by which earlier name a renamed tool was called. */
interface Edited {
  readonly project: Project;
  readonly renamed: ReadonlyMap<string, string>;
}

const claims: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  {},
  { concurrency: { class: "READ_ONLY" }, behavior: { requiresPermission: false, isDestructive: false } },
  { concurrency: { class: "WRITE_EXCLUSIVE" }, behavior: { requiresPermission: false, isDestructive: false } },
  { concurrency: { class: "WRITE_EXCLUSIVE" }, behavior: { isDestructive: false } },
);

const rule: fc.Arbitrary<JsonObject> = fc.record(
  {
    tool: fc.constantFrom(...PATTERNS),
    when: fc.constantFrom(...CONDITIONS),
    decision: fc.constantFrom("ask", "ask", "deny", "allow"),
  },
  { requiredKeys: ["tool", "decision"] },
);

const project: fc.Arbitrary<Project> = fc
  .record({
    claims: fc.array(claims, { minLength: NAMES.length, maxLength: NAMES.length }),
    aliases: fc.shuffledSubarray(ALIASES, { minLength: 2, maxLength: NAMES.length }),
    deny: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 1 }),
    rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom("ask", "ask", "ask", "accept-writes", "plan", "unattended"),
  })
  .map(({ claims: given, aliases, ...policy }) => ({
    ...policy,
    tools: NAMES.map((name, at) => ({ name, aliases: aliases.slice(at, at + 1), ...given[at] })),
  }));

/** Changes the names of a project's tools, or gives them to a new tool. */
const edit: fc.Arbitrary<(edited: Edited) => Edited> = fc
  .record({
    kind: fc.constantFrom(
      "drop",
      "drop",
      "add",
      "move",
      "rename",
      "rename",
      "alias the old name",
      "take name",
      "take alias",
    ),
    at: fc.nat(NAMES.length - 1),
    name: fc.constantFrom(...NEW_NAMES),
    alias: fc.constantFrom(...ALIASES),
    claims,
  })
  .map(({ kind, at, name, alias, claims: given }) => ({ project: old, renamed }: Edited): Edited => {
    const tool = old.tools[at];
    const [first] = tool?.aliases ?? [];
    if (tool === undefined) return { project: old, renamed };
    const withTools = (changed: Tool, ...added: readonly Tool[]): Project => ({
      ...old,
      tools: [...old.tools.with(at, changed), ...added],
    });
    const bare = { ...tool, aliases: [] };
    const original = [...renamed].find(([, now]) => now === tool.name)?.[0] ?? tool.name;
    const renames = new Map([...renamed, [original, name]]);
    switch (kind) {
      case "drop":
        return { project: withTools(bare), renamed };
      case "add":
        return { project: withTools({ ...tool, aliases: [...tool.aliases, alias] }), renamed };
      case "move": {
        const [next, ...others] = old.tools.toSpliced(at, 1);
        if (first === undefined || next === undefined) return { project: old, renamed };
        const tools = [{ ...next, aliases: [...next.aliases, first] }, ...others].toSpliced(at, 0, bare);
        return { project: { ...old, tools }, renamed };
      }
      case "rename":
        return { project: withTools({ ...tool, name }), renamed: renames };
      case "alias the old name":
        return { project: withTools({ ...tool, name, aliases: [...tool.aliases, tool.name] }), renamed: renames };
      case "take name":
        return { project: withTools(bare, { name: first ?? name, aliases: [], ...given }), renamed };
      default:
        return { project: withTools(bare, { name, aliases: tool.aliases, ...given }), renamed };
    }
  });

/** Compiles a project; `undefined` if it has errors, such as a pattern that names no tool, or no host would take it. */
async function compileProject({ tools, deny, rules, mode }: Project): Promise<Version | undefined> {
  const isName = (pattern: unknown): boolean => tools.some(({ name }) => name === pattern);
  const allowing = rules.filter(({ decision }) => decision === "allow");
  if (allowing.some(({ tool }) => !String(tool).includes("*") && !isName(tool))) return undefined;
  const policy = { hasp: 1, context: { plan: { enum: ["free", "team"] } }, deny, rules, mode };
  const sources = tools.map((tool) => ({
    uri: `${tool.name}.tool.json`,
    role: "spec" as const,
    text: JSON.stringify({
      hasp: 1,
      description: "Do it.",
      input: { type: "object", properties: {} },
      ...tool,
    }),
  }));
  const plan = completePlan({
    unlocked: true,
    dialects: [],
    toolsets: [{ name: "all", include: "all", exclude: [], policy: "policies/all.yaml" }],
  });
  const { value, diagnostics } = await compileVersion({
    sources: [...sources, { uri: "policies/all.yaml", role: "policy", text: JSON.stringify(policy) }],
    plan,
  });
  return diagnostics.some(({ severity }) => severity === "error") ? undefined : value;
}

/** The findings about names and policies. A new tool's claims are others. */
const SAID = ["diff/policy-loosened", "diff/policy-may-loosen", "diff/alias-moved"];

const RANK: { readonly [decision in PermissionDecision]: number } = { deny: 0, ask: 1, allow: 2 };

/** Creates the function that decides a call as a host does. */
function createDecider({ tools, policies }: Version): (name: string, plan: string) => Promise<number | undefined> {
  const decide = (plan: string): Dispatcher => {
    const [policy] = policies;
    return createDispatcher({
      tools: tools.map((tool) =>
        buildTool({
          ...createDefinition(tool, () => () => false),
          ...(tool.spec.aliases !== undefined && { aliases: tool.spec.aliases }),
          execute: () => "done",
        }),
      ),
      permissions: {
        deny: policy?.spec.deny,
        mode: policy?.spec.mode,
        rules: (policy?.rules ?? []).map(({ tool, decision, predicate }) => ({
          tool,
          decision,
          reason: "It is written.",
          ...(predicate !== undefined && {
            when: (input: unknown) => predicate.evaluate({ input: input as JsonValue, context: { plan } }),
          }),
        })),
        ask: () => Promise.resolve({ decision: "deny" }),
      } as never,
    });
  };
  const byPlan = new Map(["free", "team"].map((plan) => [plan, decide(plan)]));
  const names = new Set(tools.flatMap(({ name, spec }) => [name, ...(spec.aliases ?? [])]));
  return async (name, plan) => {
    if (!names.has(name)) return undefined;
    const preview = await byPlan.get(plan)?.preview({ id: "1", name, input: {} });
    return preview === undefined ? undefined : RANK[preview.decision as PermissionDecision];
  };
}

test("a call that a change of names makes unasked or undenied is a finding about its policy or its name", async () => {
  let loosened = 0;
  await fc.assert(
    fc.asyncProperty(project, fc.array(edit, { minLength: 1, maxLength: 2 }), async (old, edits) => {
      const edited = edits.reduce<Edited>((so, change) => change(so), { project: old, renamed: new Map() });
      const [before, after] = [await compileProject(old), await compileProject(edited.project)];
      fc.pre(before !== undefined && after !== undefined);
      if (before === undefined || after === undefined) return;
      const [was, is] = [createDecider(before), createDecider(after)];
      // A tool that changes in more than its name is a new one, and so are its claims.
      const isSame = (tool: Tool, name: string): boolean =>
        edited.project.tools.some((each) => isDeepStrictEqual(each, { ...tool, name }));
      const renamed = new Map(
        old.tools.flatMap((tool) => {
          const name = edited.renamed.get(tool.name);
          return name !== undefined && isSame(tool, name) ? [[tool.name, name]] : [];
        }),
      );
      const called = [...NAMES, ...ALIASES].map((name) => [name, renamed.get(name) ?? name] as const);
      const milder: string[] = [];
      for (const [earlier, name] of called) {
        for (const plan of ["free", "team"]) {
          const [then, now] = [await was(earlier, plan), await is(name, plan)];
          if (then !== undefined && now !== undefined && now > then) milder.push(`${name} for ${plan}`);
        }
      }
      if (milder.length === 0) return;
      loosened += 1;
      const found = compareVersions(before, after, "base").filter(({ code }) => SAID.includes(code));
      expect(found, `no finding names ${milder.join(", ")}`).not.toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(loosened).toBeGreaterThan(RUNS / 10);
});
