// The official conformance suite against `hasp serve`, in both revisions. The page of the docs shows what it says.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bin } from "../cli/command-line.js";
import { createConformanceProject } from "./conformance-project.testing.js";
import { NOT_APPLICABLE, type Revision } from "./not-applicable.js";

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const PAGE = join(import.meta.dirname, "../../packages/hasp/docs/reference/mcp-conformance.md");
const SUITE = join(import.meta.dirname, "../node_modules/@modelcontextprotocol/conformance");
const version = (JSON.parse(readFileSync(join(SUITE, "package.json"), "utf8")) as { readonly version: string }).version;

/** The suite needs Node 22; the npm package `node` has the binary. Absent where it cannot be fetched. */
const node: string | undefined =
  Number(process.versions.node.split(".")[0]) >= 22
    ? process.execPath
    : spawnSync("npx", ["--yes", "--package", "node@24", "--", "which", "node"], { encoding: "utf8" }).stdout.trim() ||
      undefined;

let project: ReturnType<typeof createConformanceProject> | undefined;
let work = "";
let stop: (() => void) | undefined;
let url = "";

beforeAll(async () => {
  if (node === undefined) return;
  work = mkdtempSync(join(tmpdir(), "hasp-conformance-results-"));
  project = createConformanceProject();
  const { CI: _ci, ...env } = process.env;
  const server = spawn(process.execPath, [bin, "serve", "--http", "0"], { cwd: project.folder, env });
  stop = () => void server.kill("SIGKILL");
  let said = "";
  server.stderr.on("data", (chunk) => (said += String(chunk)));
  await vi.waitFor(() => expect(said).toContain("/mcp."), { timeout: 30_000 });
  url = /http:\S+\/mcp/u.exec(said)?.[0] ?? "";
});
afterAll(() => {
  stop?.();
  project?.remove();
  if (work !== "") rmSync(work, { recursive: true });
});

/** Runs all scenarios of a revision. A check that is listed as not applicable must fail, and every other must pass. */
async function run(revision: Revision): Promise<{ readonly code: number | null; readonly out: string }> {
  const listed = NOT_APPLICABLE.flatMap(({ checks }) => checks[revision]);
  const file = join(work, `${revision}.yaml`);
  writeFileSync(file, `server:\n${listed.map((check) => `  - ${JSON.stringify(check)}\n`).join("")}`);
  const words = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--expected-failures", file];
  const child = spawn(node ?? "", [join(SUITE, "dist/index.js"), ...words], { cwd: work });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out: stripVTControlCharacters(out) };
}

/** The lines of the summary, from the first scenario to the total. */
const summaryIn = (out: string): string =>
  /=== SUMMARY ===\n(?<lines>[^]*?Total: .*)/u.exec(out)?.groups?.["lines"]?.trim() ?? out;

/** The scenarios without a failed check, from the lines of a summary. */
const passedIn = (summary: string): readonly string[] =>
  [...summary.matchAll(/^✓ ([^:]+): [1-9]/gmu)].map(([, name = ""]) => `\`${name}\``).toSorted();

/** The page, with the suite's results for each revision. */
function pageOf(summaries: readonly string[]): string {
  const passed = REVISIONS.map((revision, index) => {
    const checks = /Total: (\d+) passed/u.exec(summaries[index] ?? "")?.[1];
    return `| ${revision} | ${checks} | ${passedIn(summaries[index] ?? "").join(", ")} |\n`;
  });
  const reasons = NOT_APPLICABLE.map(({ why, checks }) => {
    const scenarios = REVISIONS.flatMap((revision) => checks[revision].map((check) => check.split(":")[0] ?? ""));
    const names = [...new Set(scenarios)].toSorted().map((name) => `\`${name}\``);
    return `| ${why} | ${names.join(", ")} |\n`;
  });
  return `# MCP: conformance

\`hasp serve\` passes every check of the official suite (\`@modelcontextprotocol/conformance\` ${version}) that applies to a server of
tools, in both revisions of the protocol. \`test/conformance\` runs the suite against \`hasp serve --http\` with a project of hasp specs
and compares the results with this page, which is generated from them. The suite speaks HTTP only; \`test/clients/serve-revisions.long.test.ts\` tests clients of both
revisions over standard input and output.

See also [serving tools over MCP](../guides/mcp.md), and [the clients and versions](../mcp-protocol.md#clients-and-versions) that were tested.

## What passes

| revision | checks | scenarios without a failed check |
| --- | --- | --- |
${passed.join("")}
Here, no scenario is about tasks: \`test/clients/mcp-tasks.test.ts\` tests them with the extension's official client.

## What does not apply

The suite has one list of scenarios for servers of all kinds, and counts a scenario as failed if one of its checks fails. Each check
that does not apply is listed in \`test/conformance/not-applicable.ts\`: the test fails if one of these passes, or any other fails.

| why | scenarios |
| --- | --- |
${reasons.join("")}
`;
}

test("everything that applies passes in both revisions, and the page says so", async ({ skip }) => {
  if (node === undefined) skip("no newer Node, which the suite needs, can be fetched here");
  const runs = await Promise.all(REVISIONS.map(run));
  for (const { code, out } of runs) expect(code, out).toBe(0);
  const page = pageOf(runs.map(({ out }) => summaryIn(out)));
  if (process.env["UPDATE"] === "1") writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, "utf8")).toBe(page);
});
