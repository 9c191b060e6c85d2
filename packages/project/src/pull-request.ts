import { readFileSync } from "node:fs";
import { printThrown } from "@hasp/base/diagnostics";
import { networkFailure, secureAddress } from "./network.js";
import type { Environment } from "./environment.js";
import { OWN_TOKEN } from "./processes/child.js";

interface PullRequest {
  /** `https://api.github.com`, or that of a GitHub server. */
  readonly api: URL;
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

/** Reads the pull request from a GitHub workflow's variables, or names the missing or wrong one. */
export function pullRequestIn(environment: Environment): PullRequest | { readonly problem: string } {
  const { GITHUB_REPOSITORY: repository = "", GITHUB_EVENT_PATH: event = "" } = environment;
  const token = environment[OWN_TOKEN] || (environment["GITHUB_TOKEN"] ?? "");
  if (token === "") return { problem: "GITHUB_TOKEN is not set" };
  if (!/^[\w.-]+\/[\w.-]+$/u.test(repository)) return { problem: "GITHUB_REPOSITORY is not set to owner/name" };
  // This address receives the token.
  const api = secureAddress(environment["GITHUB_API_URL"] ?? "https://api.github.com");
  if (api === undefined) return { problem: "GITHUB_API_URL is not an https address" };
  const number = numberIn(event);
  if (number === undefined) return { problem: "the workflow was not started by a pull request" };
  return { api, repository, number, token };
}

function numberIn(path: string): number | undefined {
  try {
    const event = JSON.parse(readFileSync(path, "utf8")) as { readonly pull_request?: { readonly number?: unknown } };
    const number = event.pull_request?.number;
    return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined;
  } catch {
    return undefined;
  }
}

/** The outcome of a comment. */
type CommentOutcome = { readonly state: "created" | "updated" | "unchanged" } | CommentFailure;

type CommentFailure =
  /** GitHub refused it. */
  | { readonly state: "refused"; readonly reason: string }
  /** GitHub could not be reached, or had trouble of its own. */
  | { readonly state: "unreachable"; readonly reason: string };

const MOST_PAGES = 30;
const TIMEOUT = 20_000;

interface Comment {
  readonly id: number;
  readonly body?: string | null;
  readonly user?: { readonly type?: string } | null;
  readonly author_association?: string;
}

/**
 * Writes a comment on a pull request, or updates the one that begins with the same mark. Only a comment of a bot or of
 * somebody who may write to the repository is updated: another person could put the mark into their own comment.
 */
export async function putComment(pull: PullRequest, mark: string, body: string): Promise<CommentOutcome> {
  try {
    const earlier = await findComment(pull, mark);
    if (earlier?.body === body) return { state: "unchanged" };
    if (earlier === undefined) {
      await send(pull, "POST", `${ofRepository(pull)}/issues/${pull.number}/comments`, { body });
      return { state: "created" };
    }
    await send(pull, "PATCH", `${ofRepository(pull)}/issues/comments/${earlier.id}`, { body });
    return { state: "updated" };
  } catch (error) {
    return explain(error, pull);
  }
}

function explain(error: unknown, { api, token }: PullRequest): CommentFailure {
  const failure = error instanceof GitHubTrouble ? error.message : networkFailure(error);
  if (failure !== undefined) return { state: "unreachable", reason: `${api.host} ${failure}` };
  return { state: "refused", reason: printThrown(error).replaceAll(token, "…") };
}

/** The fields of a pull request, a review or a membership that are read. */
interface CodeReview {
  readonly user?: { readonly login?: string } | null;
  readonly state?: string;
  readonly commit_id?: string | null;
}

/** An owner as CODEOWNERS names it, in lower case, and the commit of the pull request that this owner approved. */
interface OwnersApproval {
  readonly owner: string;
  readonly commit: string;
}

/** Lists the approvals of a pull request by some owners, without withdrawn ones and without that of its author. */
export async function listApprovals(
  pull: PullRequest,
  owners: readonly string[],
): Promise<{ readonly approvals: readonly OwnersApproval[] } | { readonly problem: string }> {
  try {
    const path = `${ofRepository(pull)}/pulls/${pull.number}`;
    const { user: author } = (await send(pull, "GET", path)) as CodeReview;
    if (author?.login === undefined) throw new Error("GitHub did not name the author of the pull request");
    const last = new Map<string, CodeReview>();
    for await (const review of readPages<CodeReview>(pull, `${path}/reviews`)) {
      const login = review.user?.login?.toLowerCase() ?? "";
      if (DECIDING.has(review.state)) last.set(login, review);
    }
    last.delete(author.login.toLowerCase());
    const approvals: OwnersApproval[] = [];
    for (const [login, { state, commit_id: commit }] of last) {
      if (state !== "APPROVED" || typeof commit !== "string") continue;
      for (const owner of owners) if (await isOwner(owner, login, pull)) approvals.push({ owner, commit });
    }
    return { approvals };
  } catch (error) {
    return { problem: explain(error, pull).reason };
  }
}

/** The states of a review that replace the earlier state of its reviewer. */
const DECIDING: ReadonlySet<string | undefined> = new Set(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"]);

/** True if a login is the owner, or an active member of the owning team as far as the token may see. */
async function isOwner(owner: string, login: string, pull: PullRequest): Promise<boolean> {
  const [, organisation, team] = /^@([\w.-]+)\/([\w.-]+)$/u.exec(owner) ?? [];
  if (team === undefined) return owner === `@${login}`;
  const path = `orgs/${organisation}/teams/${team}/memberships/${encodeURIComponent(login)}`;
  const member = await send(pull, "GET", path).catch((error: unknown) => {
    if (explain(error, pull).state === "unreachable") throw error;
  });
  return (member as CodeReview | undefined)?.state === "active";
}

/** An answer that depends on GitHub, not on the request. */
class GitHubTrouble extends Error {}

const WRITERS: ReadonlySet<string | undefined> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

async function findComment(pull: PullRequest, mark: string): Promise<Comment | undefined> {
  for await (const comment of readPages<Comment>(pull, `${ofRepository(pull)}/issues/${pull.number}/comments`)) {
    const { body, user, author_association: role } = comment;
    if (body?.startsWith(mark) === true && (user?.type === "Bot" || WRITERS.has(role))) return comment;
  }
  return undefined;
}

async function* readPages<Item>(pull: PullRequest, path: string): AsyncGenerator<Item> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const items = (await send(pull, "GET", `${path}?per_page=100&page=${page}`)) as readonly Item[];
    if (!Array.isArray(items)) throw new Error("GitHub did not return a list");
    yield* items as readonly Item[];
    if (items.length < 100) return;
  }
  throw new Error(`GitHub has more than ${MOST_PAGES * 100} items at ${path}`);
}

function ofRepository({ repository }: PullRequest): string {
  return `repos/${repository}`;
}

async function send({ api, token }: PullRequest, method: string, path: string, body?: object): Promise<unknown> {
  const { boundedFetch } = await import("./network.js");
  const address = new URL(`${api.href.replace(/\/$/u, "")}/${path}`);
  const response = await boundedFetch(address, {
    method,
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT),
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "user-agent": "hasp",
      "x-github-api-version": "2022-11-28",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    const answer = `answered ${response.status} to ${method} ${path.replace(/\?.*/u, "")}`;
    if (response.status === 429 || response.status >= 500) throw new GitHubTrouble(answer);
    throw new Error(`GitHub ${answer}`);
  }
  return response.json();
}
