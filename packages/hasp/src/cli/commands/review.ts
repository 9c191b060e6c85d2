import type { Diagnostic } from "@hasp/base/diagnostics";
import type { ReviewSettings } from "@hasp/catalogue";
import { toSlashPath, isWithin } from "@hasp/project";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { createSession } from "../project/project.js";
import { compileComparison } from "./diff.js";
import { parseWord } from "../shell/options.js";

interface ReviewCommandOptions {
  readonly out?: string;
  readonly comment?: boolean;
}

export const review: CommandModule = {
  configure(command) {
    command
      .argument("<base>", "a git ref such as origin/main, or a folder that holds the other version", parseWord)
      .option(
        "--out <folder>",
        "also write it as a page: the catalogue of the project, opened at its changes",
        parseWord,
      )
      .option("--comment", "in a GitHub workflow: write it as a comment on the pull request, or update that comment");
  },
  run: runReview,
};

async function runReview(invocation: Invocation<ReviewCommandOptions>): Promise<CommandResult> {
  const { options, folder, terminal, words } = invocation;
  const [base = ""] = words;
  const given = await compileComparison(invocation, options.out !== undefined);
  if ("diagnostics" in given) return given;
  const { project, dialects } = given;
  const { findChangesSince, reviewMarkdown, reviewMark } = await import("@hasp/catalogue");
  const session = createSession(invocation);
  const { changes, problems: unread } = await findChangesSince(base, project, {
    session,
    folder,
    dialects,
  });
  const place = {
    prefix: pathInCheckout(project.root, terminal.environment["GITHUB_WORKSPACE"]),
    config: session.config,
  };
  const { findOutdatedTapes } = await import("@hasp/serve/tapes");
  const tapes = await findOutdatedTapes(project.root, project.result.tools);
  const markdown = reviewMarkdown(changes, { ...place, tapes, ...linksToLines(terminal.environment) });
  const problems: Diagnostic[] = [...unread];
  if (options.out !== undefined) {
    const { writeCatalogue } = await import("@hasp/catalogue");
    problems.push(
      ...(await writeCatalogue(project, { folder, out: options.out, changes, route: "#/changes" })).problems,
    );
  }
  const comment = options.comment === true ? await putReview(invocation, reviewMark(place), markdown) : undefined;
  return {
    diagnostics: [...problems, ...(comment?.problems ?? [])],
    sources: project.texts,
    root: project.root,
    // Errors in specs are findings; without a base or a page the command has failed.
    state: problems.some(({ code }) => /^(?:diff|cli)\//u.test(code)) ? "unchecked" : undefined,
    product: markdown,
    ...(comment === undefined ? {} : { text: comment.text }),
    data: { changes: JSON.parse(JSON.stringify(changes)), tapes: JSON.parse(JSON.stringify(tapes)) },
  };
}

/** Comments on the pull request. A missing permission is a warning: the change is not at fault. */
async function putReview(
  { terminal }: Invocation,
  mark: string,
  body: string,
): Promise<{ readonly problems: readonly Diagnostic[]; readonly text: string }> {
  const { pullRequestIn, putComment } = await import("@hasp/project/pull-request");
  const failed = (
    reason: string,
    code: "no-comment" | "comment-unreachable" = "no-comment",
  ): Awaited<ReturnType<typeof putReview>> => ({
    problems: [cliDiagnostics(code, undefined, { reason })],
    text: "",
  });
  const pull = pullRequestIn(terminal.environment);
  if ("problem" in pull) return failed(pull.problem);
  const outcome = await putComment(pull, mark, body);
  if (outcome.state === "refused") return failed(outcome.reason);
  if (outcome.state === "unreachable") return failed(outcome.reason, "comment-unreachable");
  return { problems: [], text: `The comment on the pull request is ${outcome.state}.\n` };
}

/** Returns links to lines of the checkout in a GitHub workflow. */
function linksToLines(environment: Invocation["terminal"]["environment"]): Pick<ReviewSettings, "linkTo"> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = environment;
  if (server === undefined || repository === undefined || commit === undefined) return {};
  const linkTo = (path: string, line: number): string =>
    `${server}/${repository}/blob/${commit}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
  return { linkTo };
}

function pathInCheckout(root: string, checkout = ""): string {
  if (checkout === "" || !isWithin(checkout, root)) return "";
  const path = toSlashPath(checkout, root);
  return path === "" ? "" : `${path}/`;
}
