import { describe, expect, test } from "vitest";
import type { SourceText } from "@hasp/compiler";
import { approve, listPendingClaims, readApprovals } from "@hasp/compiler/claims";
import { compareVersions, compileVersion, findList, type Version } from "@hasp/compiler/diff";
import { completePlan } from "@hasp/compiler/model";
import { builtInPlugins } from "./built-in.js";
import { EXAMPLE_SPEC, WAYS_TO_LOOSEN, type ExampleVersion } from "./ways-to-loosen.testing.js";

/** `isBase` allows errors, as a base may have them. */
async function versionIn(example: ExampleVersion, isBase = false): Promise<Version> {
  const {
    spec = {},
    folder = "specs",
    plan = {},
    callStore,
    policy,
    toolsets: others = [],
    approved,
    recorded = {},
    comment = "",
  } = example;
  const all = { name: "all", include: "all", exclude: [] } as const;
  const toolsets = [policy === undefined ? all : { ...all, policy: "policies/all.yaml" }, ...others];
  const settings = completePlan({ unlocked: true, dialects: ["openai-responses"], toolsets, ...plan });
  const compiled = async (ledgers: readonly SourceText[]): Promise<Version> => {
    const sources: readonly SourceText[] = [
      {
        uri: `${folder}/a.tool.yaml`,
        role: "spec",
        text: `${comment}\n${JSON.stringify({ ...EXAMPLE_SPEC, ...spec })}`,
      },
      { uri: "specs/b.tool.yaml", role: "spec", text: JSON.stringify({ ...EXAMPLE_SPEC, name: "b" }) },
      ...ledgers,
      ...(policy === undefined
        ? []
        : [{ uri: "policies/all.yaml", role: "policy" as const, text: JSON.stringify({ hasp: 1, ...policy }) }]),
    ];
    const { value, diagnostics } = await compileVersion({ sources, plan: settings, callStore }, builtInPlugins);
    if (!isBase) expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return { ...value, recorded: new Map(Object.entries(recorded)) };
  };
  if (approved !== true) {
    const text = JSON.stringify({ approved });
    return compiled(approved === undefined ? [] : [{ uri: "hasp-ledger/a.yaml", role: "ledger", text }]);
  }
  const { tools } = await compiled([]);
  const claims = listPendingClaims(tools, readApprovals([], tools, settings));
  const files = approve({ claims, ledgers: [], reason: "It is local.", on: "2030-01-31" });
  return compiled(files.map(({ path, text = "" }) => ({ uri: path, role: "ledger", text })));
}

const named = WAYS_TO_LOOSEN.map((way) => [`${way.part}: ${way.what}`, way] as const);

describe("every way to loosen", () => {
  test.each(named)("is reported: %s", async (_, { finding, before, after }) => {
    const [old, now] = [await versionIn(before, true), await versionIn(after)];
    const codes = compareVersions(old, now, "base").map(({ code }) => code.slice("diff/".length));
    expect(codes).toContain(finding);
    expect(["loosens", "prompt"]).toContain(findList({ code: `diff/${finding}` }));
    expect(compareVersions(now, now, "base")).toEqual([]);
  });

  test.each(named.filter(([, { part }]) => part === "fields" || part === "guards" || part === "the ledger"))(
    "is not reported in the other direction: %s",
    async (_, { finding, before, after }) => {
      const found = compareVersions(await versionIn(after), await versionIn(before), "base").map(({ code }) => code);
      // These two are changes in either direction.
      if (finding !== "gate-gone" && finding !== "approval-rewritten") expect(found).not.toContain(`diff/${finding}`);
    },
  );
});
