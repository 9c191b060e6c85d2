import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import type { SchemaDiagnostic } from "@hasp/base/diagnostics";
import { flatten } from "./flatten.js";
import { hasShared, judge, listShared, readShared } from "./judge.testing.js";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const SUITE = "data/json-schema-test-suite";
const HOST = "http://localhost:1234/";
/**
 * Errors by which flatten says that it cannot do it, as opposed to what it finds out about a schema it has flattened.
 */
const FINDINGS = new Set(["schema/unsatisfiable", "schema/dead-property"]);

const require = createRequire(import.meta.url);

function metaSchemas(): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const name of [
    "schema",
    "meta/applicator",
    "meta/content",
    "meta/core",
    "meta/format-annotation",
    "meta/meta-data",
    "meta/unevaluated",
    "meta/validation",
  ]) {
    found.set(
      `https://json-schema.org/draft/2020-12/${name}`,
      require(`ajv/dist/refs/json-schema-2020-12/${name}.json`),
    );
  }
  found.set("http://json-schema.org/draft-07/schema", require("ajv/dist/refs/json-schema-draft-07.json"));
  return found;
}

function remotesFor(draft: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const file of listShared(`${SUITE}/remotes`)) {
    // Files of other drafts are not served to this one.
    const folder = /^(draft[^/]*|v1)\//.exec(file)?.[1];
    if (folder === undefined || folder === draft) found.set(HOST + file, readShared(`${SUITE}/remotes/${file}`));
  }
  return found;
}

/** A diagnostic by which a group is refused. */
function refusal(diagnostics: readonly SchemaDiagnostic[]): SchemaDiagnostic | undefined {
  return diagnostics.find(({ severity, code }) => severity === "error" && !FINDINGS.has(code));
}

describe.each([
  ["draft2020-12", "2020-12"],
  ["draft7", "draft-07"],
] as const)("the official suite, %s", (folder, draft) => {
  test.skipIf(!hasShared(`${SUITE}/tests/${folder}`))(
    "keeps every verdict, or refuses by name",
    () => {
      const remotes = remotesFor(folder);
      const documents = new Map([...remotes, ...metaSchemas()]);
      const resolve = (uri: string): unknown => documents.get(uri);
      const counts = { groups: 0, fair: 0, kept: 0, refused: 0 };
      const refused: string[] = [];
      const mismatches: string[] = [];
      for (const file of listShared(`${SUITE}/tests/${folder}`)) {
        if (file.startsWith("optional/")) continue;
        for (const group of readShared(`${SUITE}/tests/${folder}/${file}`) as readonly Group[]) {
          counts.groups++;
          const name = `${file}: ${group.description}`;
          const before = structuredClone(group.schema);
          const { schema, diagnostics } = inBoundedTime(() => flatten(group.schema, { resolve, draft }));
          expect(group.schema, `${name} was changed`).toEqual(before);
          const original = judge(group.schema, {
            draft,
            ...(JSON.stringify(group.schema).includes(HOST) && { remotes }),
          });
          // Only where Ajv itself agrees with the suite can it validate us.
          if (original === undefined || group.tests.some(({ data, valid }) => original(data) !== valid)) continue;
          counts.fair++;
          const reason = refusal(diagnostics);
          if (reason !== undefined) {
            counts.refused++;
            refused.push(`${name} — ${reason.code}: ${reason.message}`);
            continue;
          }
          const flat = judge(schema);
          const wrong = group.tests.filter(({ data, valid }) => flat?.(data) !== valid);
          if (wrong.length === 0) counts.kept++;
          else {
            mismatches.push(
              `${name}: ${wrong.map(({ description }) => description).join(", ")}\n  ${JSON.stringify(schema)}`,
            );
          }
        }
      }
      process.stdout.write(
        `suite ${folder}: ${counts.groups} groups, ${counts.fair} on which Ajv agrees, ${counts.kept} kept, ${counts.refused} refused\n${refused.map((line) => `  ${line}\n`).join("")}`,
      );
      expect(mismatches).toEqual([]);
      expect(counts.fair).toBeGreaterThan(200);
      expect(counts.refused / counts.fair).toBeLessThanOrEqual(0.03);
    },
    300_000,
  );
});

/** Words and habits that draft-07 does not share; Ajv, besides, heeds the siblings of `$ref` there. */
function isSharedWithDraft07(schema: unknown): boolean {
  const text = JSON.stringify(schema);
  if (
    /"(\$anchor|\$dynamic\w+|\$vocabulary|prefixItems|unevaluated\w+|dependent\w+|minContains|maxContains|\$id|\$defs)"|2020-12/.test(
      text,
    )
  ) {
    return false;
  }
  const hasSiblings = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    (("$ref" in value && Object.keys(value).length > 1) || Object.values(value).some(hasSiblings));
  return !hasSiblings(schema);
}

test.skipIf(!hasShared(`${SUITE}/tests/draft2020-12`))(
  "schemas that the suite shares with draft-07 keep their verdicts when read as draft-07",
  () => {
    let judged = 0;
    const mismatches: string[] = [];
    for (const file of listShared(`${SUITE}/tests/draft2020-12`)) {
      if (file.startsWith("optional/")) continue;
      for (const group of readShared(`${SUITE}/tests/draft2020-12/${file}`) as readonly Group[]) {
        const { $schema: _, ...rest } =
          typeof group.schema === "object"
            ? (group.schema as Record<string, unknown>)
            : { $schema: "", not: { not: group.schema } };
        if (!isSharedWithDraft07(rest)) continue;
        const original = judge(rest, { draft: "draft-07" });
        const { schema, diagnostics } = flatten(rest, { draft: "draft-07" });
        if (original === undefined || refusal(diagnostics) !== undefined) continue;
        const flat = judge(schema);
        judged++;
        if (group.tests.some(({ data }) => flat?.(data) !== original(data))) {
          mismatches.push(`${file}: ${group.description} ${JSON.stringify(schema)}`);
        }
      }
    }
    process.stdout.write(`suite read as draft-07: ${judged} groups judged, ${mismatches.length} mismatches\n`);
    expect(mismatches).toEqual([]);
    expect(judged).toBeGreaterThan(150);
  },
  300_000,
);
