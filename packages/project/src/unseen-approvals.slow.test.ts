import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalProof } from "@hasp/compiler/model";
import { findUnseenApprovals } from "./unseen-approvals.js";

const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hasp-unseen-"));
  homes.push(folder);
  return folder;
}

const LEDGER = "hasp-ledger/pay.yaml";
const entry = (claim: string, more = ""): string => `  - { claim: "${claim}", reason: It reads., covers: x${more} }\n`;
const ledger = (...entries: readonly string[]): string => `approved:\n${entries.join("")}`;

/** A repository whose base has one approval, and whose keys are those of Ada and of a stranger. */
class Repository {
  readonly root = makeFolder();
  readonly keys = makeFolder();

  constructor(signers = ".github/allowed_signers", terms = "") {
    for (const name of ["ada", "stranger"]) {
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(this.keys, name)]);
    }
    this.git("init", "-q", "-b", "main");
    this.git("config", "gpg.format", "ssh");
    if (signers !== "") this.git("config", "gpg.ssh.allowedSignersFile", signers);
    this.put(".github/allowed_signers", `ada@example.com ${terms}${this.publicKey("ada")}`);
    this.put(
      ".github/CODEOWNERS",
      "* @nobody\n/hasp-ledger/ @Ada @acme/agents # who may approve\n/hasp-ledger/* @Ada @acme/agents\n",
    );
    this.put(LEDGER, ledger(entry("old")));
    this.commit();
    this.git("branch", "base");
  }

  publicKey(name: string): string {
    return readFileSync(join(this.keys, `${name}.pub`), "utf8");
  }

  git(...words: readonly string[]): string {
    const identity = ["-c", "user.name=T", "-c", "user.email=ada@example.com"];
    return execFileSync("git", [...identity, ...words], { cwd: this.root, encoding: "utf8", stdio: "pipe" }).trim();
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  commit(key?: string): string {
    this.git("add", "-A");
    const signing = key === undefined ? "--no-gpg-sign" : `-S${join(this.keys, key)}`;
    this.git("commit", "-q", "--allow-empty", "-m", "x", signing);
    return this.git("rev-parse", "HEAD");
  }

  /** Commits on a new branch, and leaves it. */
  commitAside(key: string): void {
    this.git("checkout", "-q", "-b", "side");
    this.commit(key);
    this.git("checkout", "-q", "main");
  }

  async unseen(
    proof: ApprovalProof,
    environment: Readonly<Record<string, string>> = {},
    { base = "base", folder = "" }: { readonly base?: string; readonly folder?: string } = {},
  ): Promise<readonly string[]> {
    const root = join(this.root, folder);
    const text = readFileSync(join(root, LEDGER), "utf8");
    const found = await findUnseenApprovals([{ uri: LEDGER, text, role: "ledger" }], proof, {
      root,
      base,
      environment,
    });
    return found.map(({ message, location, tool }) => {
      const [, claim, reason = ""] = /approval of "(.*?)", since .*? vouches for it: (.*)\.$/u.exec(message) ?? [];
      return `${tool}:${location?.range.start.line} ${claim}: ${reason.replace(/[0-9a-f]{9}/u, "…")}`;
    });
  }
}

describe("findUnseenApprovals, by signed commits", () => {
  test("takes a signature by a key that git knows, also behind a merge that nobody signed", async () => {
    const repository = new Repository();
    expect(await repository.unseen("signed-commits")).toEqual([]);
    repository.put(LEDGER, ledger(entry("old"), entry("new")));
    repository.commitAside("ada");
    repository.put("other", "x");
    repository.commit();
    repository.git("merge", "-q", "--no-ff", "--no-gpg-sign", "-m", "merge", "side");
    expect(await repository.unseen("signed-commits")).toEqual([]);
  });

  test.each<[what: string, reason: string, change: (repository: Repository) => void, made?: () => Repository]>([
    ["no signature", "commit … is not signed, or git was told no keys", (repository) => void repository.commit()],
    [
      "a key that nobody knows",
      "commit … is signed with a key that git does not know",
      (repository) => void repository.commit("stranger"),
    ],
    [
      "a key that the change itself adds",
      "commit … is signed with a key that git does not know",
      (repository) => {
        repository.put(".github/allowed_signers", `ada@example.com ${repository.publicKey("stranger")}`);
        repository.commit("stranger");
      },
    ],
    [
      "a key that the change adds to a list which is named through a link",
      "commit … is signed with a key that git does not know",
      (repository) => {
        symlinkSync(repository.root, join(repository.keys, "link"));
        repository.git("config", "gpg.ssh.allowedSignersFile", join(repository.keys, "link/.github/allowed_signers"));
        repository.put(".github/allowed_signers", `ada@example.com ${repository.publicKey("stranger")}`);
        repository.commit("stranger");
      },
    ],
    [
      "a key that has expired",
      "commit … is signed with a key that git does not know",
      (repository) => void repository.commit("ada"),
      () => new Repository(undefined, 'valid-before="20200101" '),
    ],
    [
      "no list of keys",
      "commit … is not signed, or git was told no keys",
      (repository) => void repository.commit("ada"),
      () => new Repository(""),
    ],
    ["no commit", "no commit since the base has added it", () => undefined],
    [
      "no commit on the branch",
      "no commit since the base has added it",
      (repository) => {
        repository.commitAside("ada");
        repository.git("checkout", "-q", "side", "--", LEDGER);
        repository.git("reset", "-q");
      },
    ],
    [
      "a squashed branch",
      "commit … is not signed, or git was told no keys",
      (repository) => {
        repository.commitAside("ada");
        repository.git("merge", "-q", "--squash", "side");
        repository.commit();
      },
    ],
    [
      "an entry that came back after it was removed",
      "commit … is not signed, or git was told no keys",
      (repository) => {
        repository.commit("ada");
        repository.git("revert", "--no-edit", "--no-gpg-sign", "HEAD");
        repository.git("revert", "--no-edit", "--no-gpg-sign", "HEAD");
      },
    ],
    [
      "a history that is cut off",
      "git has only a part of the history here; fetch all of it, such as with fetch-depth: 0",
      (repository) => {
        const head = repository.commit("ada");
        writeFileSync(join(repository.root, ".git/shallow"), `${head}\n`);
      },
    ],
  ])("does not take %s", async (_, reason, change, made = () => new Repository()) => {
    const repository = made();
    repository.put(LEDGER, ledger(entry("old"), entry("new")));
    change(repository);
    expect(await repository.unseen("signed-commits")).toEqual([`pay:3 new: ${reason}`]);
  });

  test("judges an entry again whose words or whose end were changed", async () => {
    const repository = new Repository();
    repository.put(LEDGER, ledger(entry("old", ', expires: "2027-01-01"')));
    repository.commit("ada");
    expect(await repository.unseen("signed-commits")).toEqual([]);
    repository.put(LEDGER, ledger(entry("old", ', expires: "2028-01-01"')));
    repository.commit();
    expect(await repository.unseen("signed-commits")).toEqual([
      "pay:2 old: commit … is not signed, or git was told no keys",
    ]);
  });

  test("does not take a ledger for another that once was a folder", async () => {
    const repository = new Repository();
    rmSync(join(repository.root, LEDGER));
    repository.put(`${LEDGER}/x`, "");
    repository.commit();
    rmSync(join(repository.root, LEDGER), { recursive: true });
    repository.put(LEDGER, ledger(entry("new")));
    repository.commit("ada");
    expect(await repository.unseen("signed-commits")).toEqual([]);
  });

  test.each(["./", "-h", "gone"])("vouches for nothing where the base is %s", async (base) => {
    const repository = new Repository();
    expect(await repository.unseen("signed-commits", {}, { base })).toEqual([
      "pay:2 old: the base is no commit that git knows",
    ]);
  });
});

describe("findUnseenApprovals, by code owners", () => {
  let answers: Readonly<Record<string, unknown>> = {};
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? "", "http://stub").pathname.replace("/api/", "")];
    const status = request.headers.authorization === "Bearer s3cret" ? (answer === undefined ? 404 : 200) : 401;
    response.writeHead(status).end(JSON.stringify(answer ?? {}));
  });
  let environment: Record<string, string> = {};
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const event = join(makeFolder(), "event.json");
    writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
    environment = {
      GITHUB_TOKEN: "s3cret",
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_EVENT_PATH: event,
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    };
  });
  afterAll(() => void server.close().closeAllConnections());
  afterEach(() => void (answers = {}));

  const approved = (login: string, commit: string, state = "APPROVED"): object => ({
    user: { login },
    state,
    commit_id: commit,
  });
  const NONE =
    "pay:3 new: none of its owners in CODEOWNERS (@ada, @acme/agents) is known to have approved a version with this entry";

  function changed(): { readonly repository: Repository; readonly earlier: string; readonly head: string } {
    const repository = new Repository();
    repository.put(".github/CODEOWNERS", "* @eve\n");
    const earlier = repository.commit();
    repository.put(LEDGER, ledger(entry("old"), entry("new")));
    return { repository, earlier, head: repository.commit() };
  }

  test("takes the review of an owner, or of a member of the owning team, with the entry in it", async () => {
    const { repository, head } = changed();
    const pull = { "repos/acme/shop/pulls/7": { user: { login: "eve" } } };
    for (const login of ["ADA", "bob"]) {
      answers = {
        ...pull,
        "repos/acme/shop/pulls/7/reviews": [approved(login, head), { ...approved(login, head), state: "COMMENTED" }],
        "orgs/acme/teams/agents/memberships/bob": { state: "active" },
      };
      expect(await repository.unseen("codeowners", environment)).toEqual([]);
    }
  });

  test("takes no other review", async () => {
    const { repository, earlier, head } = changed();
    const reviews = [
      [],
      [approved("eve", head)],
      [approved("ada", earlier)],
      [approved("ada", "0".repeat(40))],
      [approved("ada", head), approved("ada", head, "DISMISSED")],
      [approved("ada", head), approved("ada", head, "CHANGES_REQUESTED")],
      [approved("bob", head)],
      [{ user: null, state: "APPROVED", commit_id: head }],
    ];
    for (const list of reviews) {
      answers = {
        "repos/acme/shop/pulls/7": { user: { login: "mallory" } },
        "repos/acme/shop/pulls/7/reviews": list,
        "orgs/acme/teams/agents/memberships/bob": { state: "pending" },
      };
      expect(await repository.unseen("codeowners", environment)).toEqual([NONE]);
    }
    answers = {
      "repos/acme/shop/pulls/7": { user: { login: "Ada" } },
      "repos/acme/shop/pulls/7/reviews": [approved("ada", head)],
    };
    expect(await repository.unseen("codeowners", environment)).toEqual([NONE]);
  });

  test("reads paths in CODEOWNERS as GitHub does: case counts, and a space may be escaped", async () => {
    const repository = new Repository();
    repository.put(".github/CODEOWNERS", "* @eve\n/my\\ shop/ @ada\n/My\\ Shop/ @mallory\n");
    repository.commit();
    repository.git("branch", "-f", "base");
    repository.put(`my shop/${LEDGER}`, ledger(entry("new")));
    const head = repository.commit();
    const unseenAfter = (login: string): Promise<readonly string[]> => {
      answers = {
        "repos/acme/shop/pulls/7": { user: { login: "bob" } },
        "repos/acme/shop/pulls/7/reviews": [approved(login, head)],
      };
      return repository.unseen("codeowners", environment, { folder: "my shop" });
    };
    expect(await unseenAfter("ada")).toEqual([]);
    const others = [await unseenAfter("eve"), await unseenAfter("mallory")];
    expect(others).toEqual(others.map(() => [expect.stringContaining("(@ada)")]));
  });

  test("says why GitHub could not be asked, and never with the token", async () => {
    const { repository } = changed();
    const reasons = [
      [{ GITHUB_TOKEN: "" }, "GitHub cannot be asked for reviews, since GITHUB_TOKEN is not set"],
      [
        { GITHUB_TOKEN: "0ther" },
        "GitHub cannot be asked for reviews: GitHub answered 401 to GET repos/acme/shop/pulls/7",
      ],
      [
        { GITHUB_API_URL: "http://api.example.com" },
        "GitHub cannot be asked for reviews, since GITHUB_API_URL is not an https address",
      ],
    ] as const;
    for (const [other, reason] of reasons) {
      expect(await repository.unseen("codeowners", { ...environment, ...other })).toEqual([`pay:3 new: ${reason}`]);
    }
  });
});
