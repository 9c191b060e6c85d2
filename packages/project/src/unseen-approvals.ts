import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { canonicalText, findOrAdd } from "@hasp/base/json";
import { attempt, type Diagnostic } from "@hasp/base/diagnostics";
import type { SourceText } from "@hasp/compiler";
import { ledgerDiagnostics, type LedgerEntry, readLedgerFile } from "@hasp/compiler/claims";
import type { ApprovalProof } from "@hasp/compiler/model";
import { parseSource } from "@hasp/compiler/source";
import type { Environment } from "./environment.js";
import { isWithin } from "./fs/read-inside.js";
import { runGit } from "./fs/run-git.js";
import { toSlashPath } from "./fs/slash-path.js";
import { listApprovals, pullRequestIn } from "./pull-request.js";
import { findOwnerLine } from "./read/owner-lines.js";
import { OWNER_FILES } from "./read/file-names.js";

interface Change {
  /** The root of the project, in the work tree. */
  readonly root: string;
  /** The git ref that the change is compared with. */
  readonly base: string;
  readonly environment: Environment;
}

/** An entry of the ledger that the base does not have. */
interface NewEntry extends LedgerEntry {
  readonly tool: string;
  /** From the top of the work tree. */
  readonly path: string;
  /** Its canonical text, by which it is found in other versions of the file. */
  readonly text: string;
}

/** Says why an entry counts as unseen; `undefined` if it does not. */
type Judge = (entry: NewEntry) => string | undefined;

/**
 * Finds the entries of the ledger that a change adds or alters, and for which the demanded proof is missing: with
 * `signed-commits`, every commit that added the entry must be signed with a key that git knew at the base; with
 * `codeowners`, an owner according to the base must have approved a version of the pull request that has the entry. If
 * git or GitHub does not tell, the proof is missing.
 */
export async function findUnseenApprovals(
  ledgers: readonly SourceText[],
  proof: ApprovalProof,
  change: Change,
): Promise<readonly Diagnostic[]> {
  const { root, base } = change;
  const place = readWords(root, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  const [top = "", prefix = ""] = place.split(/\r?\n/u);
  const commit = base.startsWith("-") ? "" : readWords(root, ["rev-parse", "--verify", "--quiet", `${base}^{commit}`]);
  const history = new LedgerHistory(root);
  const entries = ledgers.flatMap((source): readonly NewEntry[] =>
    readEntries(source).map((entry) => ({ ...entry, path: `${prefix}${source.uri}` })),
  );
  history.read(commit === "" ? [] : [commit], entries);
  const added = entries.filter((entry) => !history.has(commit, entry));
  if (added.length === 0) return [];
  const judge = await createJudge(proof, added, { ...change, base: commit, top, history });
  return added.flatMap((entry) => {
    const { claim, location, tool } = entry;
    const reason = judge(entry);
    const parameters = { variant: proof, claim, reason: reason ?? "" };
    return reason === undefined ? [] : [ledgerDiagnostics("unseen", location, parameters, { tool })];
  });
}

interface Repository extends Change {
  readonly top: string;
  readonly history: LedgerHistory;
}

async function createJudge(proof: ApprovalProof, added: readonly NewEntry[], repository: Repository): Promise<Judge> {
  const { root, base } = repository;
  if (base === "") return () => "the base is no commit that git knows";
  // At its edge, a commit that added nothing seems to add everything.
  if (readWords(root, ["rev-parse", "--is-shallow-repository"]) !== "false") {
    return () => "git has only a part of the history here; fetch all of it, such as with fetch-depth: 0";
  }
  return proof === "codeowners" ? judgeByReviews(added, repository) : judgeBySignatures(added, repository);
}

/** Judges entries by the signatures of the commits that added them. */
function judgeBySignatures(added: readonly NewEntry[], repository: Repository): Judge {
  const { root, base, history } = repository;
  const commits = new Map(
    readWords(root, ["rev-list", "--parents", `${base}..HEAD`])
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [line.split(" ")]))
      .map(([commit = "", ...parents]) => [commit, parents]),
  );
  if (commits.size > MOST_COMMITS) return () => `more than ${MOST_COMMITS} commits follow the base`;
  history.read([...new Set([...commits].flat(2))], added);
  const adding = (entry: NewEntry): readonly string[] =>
    [...commits].flatMap(([commit, parents]) =>
      history.has(commit, entry) && !parents.some((parent) => history.has(parent, entry)) ? [commit] : [],
    );
  const signatures = readSignatures([...new Set(added.flatMap(adding))], repository);
  const [head = ""] = commits.keys();
  return (entry) => {
    const found = adding(entry);
    if (found.length === 0 || !history.has(head, entry)) return "no commit since the base has added it";
    return found
      .map((commit) => [commit.slice(0, 9), signatures.get(commit) ?? "N"] as const)
      .filter(([, signature]) => signature !== "G")
      .map(([commit, signature]) => `commit ${commit} ${SIGNATURES[signature] ?? "has no good signature"}`)[0];
  };
}

const MOST_COMMITS = 2000;

/** The meaning of git's letters for a signature; `G` is a good one of a known key. */
const SIGNATURES: { readonly [letter: string]: string } = {
  N: "is not signed, or git was told no keys",
  U: "is signed with a key that git does not know",
  E: "is signed with a key that git does not know",
  X: "has a signature that has expired",
  Y: "is signed with a key that has expired",
  R: "is signed with a key that was revoked",
};

/** Settings of git that name a file with keys. */
const KEY_FILES = ["gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile"] as const;

/** Reads git's verdict on the signature of each commit, with the keys of the base: a change must not add its own. */
function readSignatures(commits: readonly string[], { root, base, top }: Repository): ReadonlyMap<string, string> {
  const temporary = mkdtempSync(join(realpathSync.native(tmpdir()), "hasp-keys-"));
  try {
    const settings = KEY_FILES.flatMap((key) => {
      const file = readWords(root, ["config", "--type=path", "--get", key]);
      const named = resolve(top, file);
      // Git names the top without links.
      const path = isWithin(top, named) ? named : (attempt(() => realpathSync.native(named)) ?? named);
      if (file === "" || !isWithin(top, path)) return [];
      const earlier = join(temporary, key);
      writeFileSync(earlier, runGit(root, ["cat-file", "blob", `${base}:${toSlashPath(top, path)}`]).out);
      return ["-c", `${key}=${earlier}`];
    });
    const log = ["--no-replace-objects", "log", "--no-walk", "--stdin", "--no-show-signature", "--format=%H %G?"];
    const found = commits.length === 0 ? "" : runGit(root, [...settings, ...log], commits.join("\n")).out.toString();
    return new Map(Array.from(found.matchAll(/^(\w+) (\w)$/gmu), ([, commit = "", letter = ""]) => [commit, letter]));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Judges entries by the reviews of the pull request. */
async function judgeByReviews(
  added: readonly NewEntry[],
  { root, base, environment, history }: Repository,
): Promise<Judge> {
  const pull = pullRequestIn(environment);
  if ("problem" in pull) return () => `GitHub cannot be asked for reviews, since ${pull.problem}`;
  const rules = OWNER_FILES.map((file) => runGit(root, ["cat-file", "blob", `${base}:${file}`]))
    .filter(({ status }) => status === 0)
    .map(({ out }) => out.toString("utf8"))[0];
  if (rules === undefined) return () => "the base has no file CODEOWNERS";
  const owners = new Map(added.map(({ path }) => [path, findOwnerLine(rules, path)?.owners ?? []]));
  const approved = await listApprovals(pull, [...new Set([...owners.values()].flat())]);
  if ("problem" in approved) return () => `GitHub cannot be asked for reviews: ${approved.problem}`;
  history.read(
    approved.approvals.map(({ commit }) => commit),
    added,
  );
  return (entry) => {
    const names = owners.get(entry.path) ?? [];
    const isSeen = approved.approvals.some(({ owner, commit }) => names.includes(owner) && history.has(commit, entry));
    if (isSeen) return undefined;
    return names.length === 0
      ? "nobody owns its file in CODEOWNERS"
      : `none of its owners in CODEOWNERS (${names.join(", ")}) is known to have approved a version with this entry`;
  };
}

/** The ledger in the commits that were read. */
class LedgerHistory {
  readonly #root: string;
  readonly #entries = new Map<string, ReadonlySet<string>>();
  /** By the id of the file's contents. */
  readonly #parsed = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads the files of entries in some commits; a file that a commit lacks has no entry. */
  read(commits: readonly string[], entries: readonly NewEntry[]): void {
    const paths = new Set(entries.map(({ path }) => path).filter((path) => !path.includes("\n")));
    const queries = commits.flatMap((commit) => [...paths].map((path) => `${commit}:${path}`));
    const { status, out } = runGit(this.#root, ["--no-replace-objects", "cat-file", "--batch"], queries.join("\n"));
    let at = 0;
    for (const query of status === 0 ? queries : []) {
      const end = out.indexOf("\n", at);
      const [, id = "", type, size] = /^(\w+) (\w+) (\d+)$/u.exec(out.toString("utf8", at, end)) ?? [];
      at = end + 1;
      if (size === undefined) continue;
      const text = out.toString("utf8", at, at + Number(size));
      at += Number(size) + 1;
      if (type !== "blob") continue;
      const parse = (): ReadonlySet<string> =>
        new Set(readEntries({ uri: "", text, role: "ledger" }).map((entry) => entry.text));
      this.#entries.set(query, findOrAdd(this.#parsed, id, parse));
    }
  }

  has(commit: string, { path, text }: NewEntry): boolean {
    return this.#entries.get(`${commit}:${path}`)?.has(text) === true;
  }
}

function readEntries(source: SourceText): readonly Omit<NewEntry, "path">[] {
  const document = parseSource(source).value;
  if (document === undefined) return [];
  const { tool, entries } = readLedgerFile(document);
  return entries.map((entry) => {
    const text = canonicalText({ ...entry, index: undefined, location: undefined });
    return { ...entry, tool, text };
  });
}

function readWords(folder: string, words: readonly string[]): string {
  const { status, out } = runGit(folder, ["--no-replace-objects", ...words]);
  return status === 0 ? out.toString("utf8").trimEnd() : "";
}
