import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { compile, readProject } from "hasp";
import { beforeAll, describe, expect, test } from "vitest";
import { approve, listPendingClaims, readApprovals } from "@hasp/compiler/claims";
import { load } from "@hasp/compiler/source";
import { rules } from "@hasp/builtin";
import { bin, type JsonFinding } from "../cli/command-line.js";
import { SOURCE_PACKAGES } from "../source-packages.js";

/**
 * Projects full of faults, each marked where it is: `# fault: <code>` at the end of its line, or on lines of its
 * own above it. What the command line finds must be these and nothing else. `UPDATE=1` renews the digests of the
 * ledger, which `hasp approve` does not do where specs have errors.
 */
const folder = join(import.meta.dirname, "../seeded-faults");
const tools = join(folder, "tools");

/** Found only by a fault of hasp itself, or by the configuration's own check, which comes first. */
const notSeeded = new Map([
  ["check/rule-crashed", "a rule of hasp would have to throw"],
  ["check/unknown-rule", "config/unknown-rule says it first"],
  ["check/ignore-without-reason", "config/wrong-value says it first"],
  ["ledger/unseen", "only ci reports it, which compares with a base; its own tests sign commits"],
  // The tests of the command line have plugins with each fault.
  ...["failed", "invalid", "not-found", "not-run", "wrong-answer"].map(
    (name) => [`plugin/${name}`, "a plugin with a fault leaves every other finding out"] as const,
  ),
]);

/** Findings as `uri:line code`, in the order of the alphabet. */
async function check(project: string): Promise<readonly string[]> {
  const out = await promisify(execFile)(process.execPath, [bin, "check", "--format", "json"], { cwd: project }).then(
    () => "",
    (error: { readonly code: number; readonly stdout: string }) =>
      error.code === 1 ? error.stdout : Promise.reject(error),
  );
  const { diagnostics } = JSON.parse(out) as { readonly diagnostics: readonly JsonFinding[] };
  // Almost every project has notes on flows, which are no faults.
  const faults = diagnostics.filter(({ code }) => !code.startsWith("flow/"));
  return faults.map(({ uri, line, code }) => `${uri ?? "(no place)"}:${line ?? "-"} ${code}`).toSorted();
}

/** The faults that a project's own comments mark. */
function seededIn(project: string): readonly string[] {
  const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((file) => faultsOf(join(file.parentPath, file.name), project)).toSorted();
}

function faultsOf(path: string, project: string): readonly string[] {
  let waiting: string[] = [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((text, index) => {
      const [, before = text, code = ""] = /^(.*?)# fault: (\S+)$/u.exec(text) ?? [];
      const codes = code === "" ? waiting : [...waiting, code];
      const isAlone = code !== "" && before.trim() === "";
      waiting = isAlone ? codes : [];
      return isAlone ? [] : codes.map((each) => `${relative(project, path)}:${index + 1} ${each}`);
    });
}

/** The codes that cannot be silenced, as the sources declare them. */
function fixedCodes(): readonly string[] {
  const sources = join(import.meta.dirname, "../../packages");
  const files = SOURCE_PACKAGES.flatMap((name) =>
    readdirSync(join(sources, name, "src"), { recursive: true, withFileTypes: true }),
  ).filter(({ name }) => name.endsWith("diagnostics.ts"));
  return files.flatMap(({ name, parentPath }) => {
    const text = readFileSync(join(parentPath, name), "utf8");
    const phase = /defineDiagnostics\("(?<phase>[\w-]+)"/u.exec(text)?.groups?.["phase"];
    return [...text.matchAll(/^ {2}"?(?<name>[\w-]+)"?: \{\s(?:\s*severity: "\w+",)?\s*fixed: true,/gmu)].map(
      ({ groups }) => `${phase}/${groups?.["name"]}`,
    );
  });
}

/** Approves the claims that are no fault here, so that a change of what digests cover needs no editing by hand. */
async function renewLedger(): Promise<void> {
  const { sources, plan } = await readProject(tools, { unlocked: true });
  if (plan === undefined) throw new Error("The project of faults has no valid configuration.");
  const ledgers = load(sources).value.filter(({ role }) => role === "ledger");
  const { tools: compiled } = await compile(sources, plan, { emits: false });
  const pending = listPendingClaims(compiled, readApprovals(ledgers, compiled, plan));
  const seeded = seededIn(tools);
  const claims = pending
    .filter(({ location, state }) => {
      const fault = `ledger/${state === "new" ? "not-approved" : state}`;
      // That a claim contradicts its handler is a fault as well: no approval says so.
      return state !== "contradicted" && !seeded.includes(`${location.uri}:${location.range.start.line} ${fault}`);
    })
    .map(({ tool, claim, state, location, covers }) => ({ tool, claim, state, location, covers }));
  const reason = "Another fault is shown here; the claim itself is not the point.";
  for (const { path, text } of approve({ claims, ledgers, reason, on: "2026-01-31" })) {
    writeFileSync(join(tools, path), text ?? "");
  }
}

beforeAll(async () => {
  if (process.env["UPDATE"] === "1") await renewLedger();
});

describe.each(readdirSync(folder))("the faults of %s", (name) => {
  test("every seeded fault is found at its line, and nothing else is", async () => {
    const seeded = seededIn(join(folder, name));
    expect(seeded).not.toEqual([]);
    expect(await check(join(folder, name))).toEqual(seeded);
  });
});

describe("a fault is seeded", () => {
  const seeded = new Set(
    readdirSync(folder).flatMap((name) => seededIn(join(folder, name)).map((each) => each.split(" ").at(-1))),
  );

  test("for every rule", () => {
    expect(rules.map(({ id }) => id).filter((id) => !seeded.has(id))).toEqual([]);
  });

  test("for every check that cannot be silenced", () => {
    const codes = fixedCodes();
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !seeded.has(code) && !notSeeded.has(code))).toEqual([]);
    expect([...notSeeded.keys()].filter((code) => !codes.includes(code) || seeded.has(code))).toEqual([]);
  });
});
