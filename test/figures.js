// `pnpm figures`: holds what a reader has to cope with, and the walls between the packages, below limits that only ever sink.
// `--since <ref>` says what the changes since then cost, `--all` names every offender.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findRaisedLimits } from "./figures/limits.js";
import { measureReading } from "./figures/reading.js";
import { readSources } from "./figures/read-sources.js";
import { measureWalls } from "./figures/walls.js";

const LIMITS = "test/figures/limits.json";
const root = resolve(import.meta.dirname, "..");
const git = (...words) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });
const option = (name) => process.argv.indexOf(name) + 1;

const limits = JSON.parse(readFileSync(join(root, LIMITS), "utf8"));
const granted = JSON.parse(readFileSync(join(root, "test/figures/granted.json"), "utf8"));
const figures = measure(root, git("ls-files", "-z"));
const before = option("--since") === 0 ? undefined : measureAt(process.argv[option("--since")]);
const problems = [];
const width = Math.max(...Object.keys(figures).map((name) => name.length));
for (const [name, measured] of Object.entries(figures)) {
  const { count, offenders } = measured;
  const limit = limits[name];
  const growth = count - (before?.[name]?.count ?? 0);
  const change = before === undefined ? "" : `  ${growth >= 0 ? "+" : ""}${growth}`;
  const verdict = limit === undefined ? "has no limit" : count > limit ? `${count - limit} too many` : "";
  if (verdict !== "") problems.push(`${name}: ${verdict}`);
  const columns = `${name.padEnd(width)}  ${String(count).padStart(6)} of ${String(limit ?? "").padStart(6)}${change}`;
  process.stdout.write(`${`${columns}  ${verdict}`.trimEnd()}\n`);
  const shown = process.argv.includes("--all") ? offenders : verdict === "" ? [] : offenders.slice(0, 10);
  for (const offender of shown) process.stdout.write(`    ${offender}\n`);
}
problems.push(...findRaisedLimits(limits, readLimitsOfBase(), granted.upTo));
if (problems.length > 0) {
  process.stdout.write(
    `\n${problems.join("\n")}\n\nMake room for what you add. The limits in ${LIMITS} only sink, but for the room that granted.json states; what moves to another package takes its limit along.\n`,
  );
  process.exitCode = 1;
}

/** Measures the commit that a ref names. */
function measureAt(ref) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-figures-"));
  try {
    const archive = execFileSync("git", ["archive", ref], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return measure(folder, git("ls-tree", "-r", "-z", "--name-only", ref));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures a checkout: for each figure, its count and the offenders if it lists them. */
function measure(folder, list) {
  const checkout = readSources(list.split("\0"), (path) => readFileSync(join(folder, path), "utf8"));
  return Object.fromEntries(
    Object.entries({ ...measureReading(checkout), ...measureWalls(checkout) }).map(([name, measured]) => [
      name,
      Array.isArray(measured) ? { count: measured.length, offenders: measured } : { count: measured, offenders: [] },
    ]),
  );
}

/** Reads the limits of the commit that this change begins with. */
function readLimitsOfBase() {
  const base = ["origin/main", "main"].map(findMergeBase).find((each) => each !== undefined);
  if (base === undefined) throw new Error("Fetch the branch main, whose limits this change may not raise.");
  const isThere = git("ls-tree", "--name-only", base, LIMITS) !== "";
  return isThere ? JSON.parse(git("show", `${base}:${LIMITS}`)) : {};
}

function findMergeBase(branch) {
  try {
    return git("merge-base", "HEAD", branch).trim();
  } catch {
    return undefined;
  }
}
