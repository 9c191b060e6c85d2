import fc from "fast-check";
import { expect, test } from "vitest";
import { type SourceText, loadSource, CompileCache } from "@hasp/compiler";
import { compile } from "@hasp/project/built-in";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import {
  approve,
  listPendingClaims,
  type PendingClaim,
  readApprovals,
  CONTRADICTION_RULE,
  listPendingPolicyClaims,
} from "@hasp/compiler/claims";
import { completePlan } from "@hasp/compiler/model";
import { chooseGeneratedNames } from "@hasp/compiler/layout";
import { approveClaim } from "./code-actions.js";
import { listCodeLenses } from "./hover-and-lenses.js";
import type { LanguageProject } from "./language-project.js";

const KINDS = {
  flag: { behavior: { isOpenWorld: false } },
  rule: { concurrency: { class: "UNSAFE", rules: [{ when: "input.mode == 'read'", class: "READ_ONLY" }] } },
  custom: { concurrency: { class: "UNSAFE", rules: [{ custom: "isSafe", class: "READ_ONLY" }] } },
  contradicted: {
    handler: { http: { connection: "api", method: "DELETE", path: "/all" } },
    concurrency: { class: "READ_ONLY" },
  },
};

interface Project {
  readonly tools: readonly { readonly name: string; readonly kind: keyof typeof KINDS; readonly width: number }[];
  /** The version of all handlers; `undefined` if their imports are unknown. */
  readonly handlers: number | undefined;
  readonly allowed: string;
}

// Two of these share a file name, so that each handler has its own name while both tools exist.
const names = fc.subarray(["getX", "get_x", "remove"], { minLength: 1 });
const projects: fc.Arbitrary<Project> = names.chain((chosen) =>
  fc.record({
    tools: fc.tuple(
      ...chosen.map((name) =>
        fc.record({
          name: fc.constant(name),
          kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
          width: fc.constantFrom(5, 9),
        }),
      ),
    ),
    handlers: fc.constantFrom(1, 2, undefined),
    allowed: fc.constantFrom(...chosen, "*"),
  }),
);
/** Random changes of a project since its approvals. */
const history = fc.record({
  approved: projects,
  now: projects,
  isSame: fc.boolean(),
  expires: fc.constantFrom(undefined, "2025-12-31", "2026-01-01"),
  keepsContradictions: fc.boolean(),
  kept: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
});

const planFor = ({ tools, handlers }: Project) => ({
  today: "2026-01-01",
  dialects: [],
  toolsets: [{ name: "all", include: "all" as const, exclude: [], policy: "policies/all.yaml" }],
  connections: { api: { http: { baseUrl: "https://api.example.com" } } },
  handlerDigests: Object.fromEntries(
    [...chooseGeneratedNames(tools.map(({ name }) => name))].map(([name, { kebab }]) => [
      `src/tools/${kebab}.ts`,
      handlers === undefined
        ? { digest: name, own: name, obstacle: "the handler imports what nobody knows" }
        : { digest: `${name} ${handlers}`, own: name },
    ]),
  ),
});

const sourcesOf = ({ tools, allowed }: Project): readonly SourceText[] => [
  ...tools.map(({ name, kind, width }): SourceText => {
    const input = { type: "object", required: ["mode"], properties: { mode: { type: "string", maxLength: width } } };
    const spec = { hasp: 1, name, description: "Do it.", input, ...KINDS[kind] };
    return { uri: `specs/${name}.tool.json`, role: "spec", text: JSON.stringify(spec) };
  }),
  {
    uri: "policies/all.yaml",
    role: "policy",
    text: JSON.stringify({ hasp: 1, rules: [{ tool: allowed, decision: "allow" }] }),
  },
];

async function open(project: Project, ledgers: readonly SourceText[] = []) {
  const sources = [...sourcesOf(project), ...ledgers];
  const result = await compile(sources, planFor(project), { emits: false });
  const plan = completePlan(planFor(project));
  const documents = ledgers.flatMap((source) => loadSource(source, new CompileCache()).value ?? []);
  const approvals = readApprovals(documents, result.tools, plan);
  const pending = [
    // A command may select one tool of many.
    ...result.tools.flatMap((tool) => listPendingClaims([tool], approvals)),
    ...listPendingPolicyClaims(result.policies, approvals),
  ];
  return { sources, result, plan, documents, pending };
}

function enter(
  claims: readonly PendingClaim[],
  documents: Parameters<typeof approve>[0]["ledgers"],
  more: object = {},
) {
  return approve({ claims, ledgers: documents, reason: "Looked at.", on: "2025-01-01", ...more }).map(
    ({ path, text = "" }): SourceText => ({ uri: path, role: "ledger", text }),
  );
}

const at = ({ uri, range }: Location): string => `${uri}:${range.start.offset}`;
const STATES: Readonly<Record<string, string>> = { "not-approved": "new", stale: "stale", expired: "expired" };

/** Returns the waiting claims that a check reports. */
function waitingIn(diagnostics: readonly Diagnostic[]): readonly string[] {
  const found = diagnostics.flatMap(({ code, location }) => {
    const state = code.startsWith("ledger/") ? STATES[code.slice("ledger/".length)] : undefined;
    return state === undefined || location === undefined ? [] : [`${at(location)} ${state}`];
  });
  const contradicted = diagnostics.flatMap(({ code, location }) =>
    code === CONTRADICTION_RULE && location !== undefined && !found.some((each) => each.startsWith(`${at(location)} `))
      ? [`${at(location)} contradicted`]
      : [],
  );
  return [...found, ...contradicted].toSorted();
}

const states = (claims: readonly PendingClaim[]): readonly string[] =>
  claims.map(({ location, state }) => `${at(location)} ${state}`).toSorted();

test("check, approve and the editor find the same claims in the same state, and an approval of each satisfies the check", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, async ({ approved, now, isSame, expires, keepsContradictions, kept }) => {
      const before = await open(isSame ? { ...now, handlers: now.handlers ?? 1 } : approved);
      const given = before.pending
        .filter((_, index) => kept[index] !== false)
        .map(({ contradiction, covers, ...claim }) => ({
          ...claim,
          covers,
          ...(contradiction === undefined || !keepsContradictions ? {} : { contradiction }),
        }));
      const ledgers = enter(given, [], expires === undefined ? {} : { expires });
      const project = await open(now, ledgers);
      const { diagnostics, tools } = project.result;
      const waiting = waitingIn(diagnostics);
      for (const each of waiting) seen.add(each.split(" ")[1] ?? "");
      expect(states(project.pending)).toEqual(waiting);

      const editor: LanguageProject = {
        root: "/",
        name: "any",
        sources: project.sources,
        config: undefined,
        diagnostics,
        compiled: project,
        cache: new CompileCache(),
        reviewer: () => ({ by: undefined, on: "2026-01-01" }),
        read: async () => Promise.resolve(undefined),
      };
      const offered = diagnostics.filter((finding) => {
        const document = project.sources.find(({ uri }) => uri === finding.location?.uri);
        return document !== undefined && approveClaim({ project: editor, document, finding }).length > 0;
      });
      expect(waitingIn(offered)).toEqual(waiting.filter((each) => !each.endsWith(" contradicted")));
      const impossible = diagnostics.filter(({ code }) => code === "ledger/cannot-cover");
      if (impossible.length > 0) seen.add("uncoverable");
      for (const { name, document } of tools) {
        const source = project.sources.find(({ uri }) => uri === document.uri);
        const [lens] = source === undefined ? [] : listCodeLenses(editor, source);
        const own = [...project.pending, ...impossible].filter(({ tool }) => tool === name).length;
        expect(lens?.title.match(/\d+(?= not approved)/u)?.[0]).toBe(own === 0 ? undefined : String(own));
      }

      const after = await open(now, [
        ...ledgers.filter(({ uri }) => !project.pending.some(({ tool }) => uri.endsWith(`/${tool}.yaml`))),
        ...enter(project.pending, project.documents),
      ]);
      expect(after.pending).toEqual([]);
      expect(waitingIn(after.result.diagnostics)).toEqual([]);
    }),
  );
  expect([...seen].toSorted()).toEqual(["contradicted", "expired", "new", "stale", "uncoverable"]);
});
