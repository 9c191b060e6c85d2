// What every rule says about tools that others have published: `pnpm bench corpus-findings`. Each source is imported by
// the built command line and checked twice: as it was imported, and with the claims that its makers suggest taken over
// into the specs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { importInner } from "../../packages/hasp/scripts/gen/workspace.js";

const { rules } = await importInner("compiler", "builtin/rules/index.ts");
const corpus = resolve(import.meta.dirname, "../../../shared/corpus/tools");
const bin = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const SAMPLES = 4;
/** Waiting approvals are no fault of a tool, and stand for every claim. */
const EXPECTED = new Set(["ledger/not-approved"]);

export default function run() {
  if (!existsSync(corpus)) {
    process.stdout.write("\ncorpus-findings: skipped, ../shared/corpus is not beside this repository.\n");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "hasp-corpus-"));
  try {
    const sources = readdirSync(corpus)
      .filter((name) => name.endsWith(".json"))
      .map((name) => checkSource(folder, name));
    print(sources);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports one source and checks it twice. */
function checkSource(folder, file) {
  const project = join(folder, basename(file, ".json"));
  mkdirSync(project);
  writeFileSync(
    join(project, "hasp.config.yaml"),
    "specs: [specs]\nfindings: [{ rule: description/when-not-to-use, severity: info }]\n",
  );
  const imported = hasp(project, "import", "mcp-list", join(corpus, file));
  const plain = hasp(project, "check");
  const names = [...(imported.summary.imported === undefined ? [] : toolNames(project))];
  // The claims stay without an approval, which is not a finding here: this is about what rules say about them.
  hasp(project, "approve", "--suggested", "--reason", "as its makers say", "--yes", ...names);
  const claimed = hasp(project, "check");
  const seen = new Set(plain.diagnostics.map(identity));
  return {
    name: basename(file, ".json"),
    tools: imported.summary.tools,
    importing: imported.diagnostics,
    plain: plain.diagnostics.map((finding) => withText(project, finding)),
    claimed: claimed.diagnostics
      .filter((finding) => !seen.has(identity(finding)))
      .map((finding) => withText(project, finding)),
    claims: claimed.summary.relaxations,
  };
}

function toolNames(project) {
  const listed = hasp(project, "check");
  const broken = new Set(
    listed.diagnostics
      .filter(({ severity, code }) => severity === "error" && !EXPECTED.has(code))
      .map(({ tool }) => tool),
  );
  return readdirSync(join(project, "specs"))
    .map((name) => /^name: (.+)$/m.exec(readFileSync(join(project, "specs", name), "utf8"))?.[1] ?? "")
    .filter((name) => name !== "" && !broken.has(name));
}

const identity = ({ code, tool, message }) => JSON.stringify([code, tool, message]);

/** A finding with the line that it points to, as it was when it was found. */
function withText(project, finding) {
  const line =
    finding.uri === null ? "" : (readFileSync(join(project, finding.uri), "utf8").split("\n")[finding.line - 1] ?? "");
  return { ...finding, text: line.trim().slice(0, 100) };
}

function hasp(folder, ...words) {
  const { stdout, stderr } = spawnSync(process.execPath, [bin, "--format", "json", ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, CI: "" },
    maxBuffer: 1 << 28,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`hasp ${words[0]} did not answer: ${stderr || stdout}`);
  }
}

function print(sources) {
  const total = sources.reduce((sum, { tools }) => sum + tools, 0);
  process.stdout.write(`\ncorpus-findings: ${total} published tools of ${sources.length} sources\n\n`);
  const codes = new Map(rules.map(({ id }) => [id, []]));
  for (const source of sources) {
    for (const [column, findings] of [
      ["plain", source.plain],
      ["claimed", source.claimed],
    ]) {
      for (const finding of findings) {
        if (EXPECTED.has(finding.code)) continue;
        codes.set(finding.code, [...(codes.get(finding.code) ?? []), { ...finding, source: source.name, column }]);
      }
    }
  }
  const count = (findings, name, column) =>
    findings.filter((each) => each.source === name && each.column === column).length;
  const head = [
    "rule",
    ...sources.map(({ name, tools }) => `${name.split("-")[0]}${name.includes("raw") ? "-raw" : ""} (${tools})`),
    "all",
    "+ claims",
  ];
  const rows = [...codes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, findings]) => [
      code,
      ...sources.map(({ name }) => String(count(findings, name, "plain") || "")),
      String(findings.filter(({ column }) => column === "plain").length || ""),
      String(findings.filter(({ column }) => column === "claimed").length || ""),
    ]);
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => row[index].length)));
  for (const row of [head, ...rows]) {
    process.stdout.write(
      `${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join("  ")}\n`,
    );
  }
  process.stdout.write(`\nclaims taken over: ${sources.map(({ name, claims }) => `${name} ${claims}`).join(", ")}\n`);
  for (const [code, findings] of codes) {
    if (findings.length === 0) continue;
    process.stdout.write(`\n${code}\n`);
    // Spread over all that were found, so that another run shows the same ones.
    const step = Math.max(1, Math.floor(findings.length / SAMPLES));
    for (const { tool, text, message } of findings.filter((_, index) => index % step === 0).slice(0, SAMPLES)) {
      process.stdout.write(`  ${tool ?? ""}: ${text}\n    ${message}\n`);
    }
  }
}
