import { basename } from "node:path";
import { CompileCache } from "@hasp/compiler";
import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import type { Review, ReviewSettings } from "@hasp/catalogue";
import { toSlashPath, isWithin } from "@hasp/project";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { findGoneProjects, findReplacedProjects } from "../project/comparisons.js";
import { findNamedConfig, isCompiled } from "../project/project.js";
import { declareAllOption } from "../project/run-all.js";
import { compileComparison, markOld, placeComparison } from "./diff.js";
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
    declareAllOption(command);
  },
  run: runReview,
  complete: completeReview,
};

async function runReview(invocation: Invocation<ReviewCommandOptions>): Promise<CommandResult> {
  const reviewed = await reviewProject({ ...invocation, cache: new CompileCache() });
  return invocation.options.all === true ? reviewed : completeReview(reviewed, invocation);
}

/** Reviews one project. */
async function reviewProject(invocation: Invocation<ReviewCommandOptions>): Promise<CommandResult> {
  const { options, folder, words } = invocation;
  const [base = ""] = words;
  const project = await compileComparison(invocation, options.out === undefined);
  if (!isCompiled(project)) {
    const refusals = [project.diagnostics.map(({ message }) => message).join(" ")];
    return { ...project, review: { base, findings: [], costs: [], tapes: [], refusals } };
  }
  const { findChangesSince, writeCatalogue } = await import("@hasp/catalogue");
  const found = project.diagnostics.filter(({ severity }) => severity !== "info");
  const { changes, problems, compared } = await findChangesSince(base, project, {
    ...placeComparison(invocation),
    checksBase: found.length > 0,
  });
  const { findOutdatedTapes } = await import("@hasp/serve/tapes");
  const tapes = await findOutdatedTapes(project.root, project.result.tools);
  const { diagnostics = [], costs = [], standing = new Set<string>() } = compared ?? {};
  const marked = found.map((each) => (isError(each) ? each : markOld(each, standing)));
  const page = { folder, changes, route: "#/changes" };
  const written =
    options.out === undefined
      ? []
      : (await writeCatalogue(project, { ...page, out: placePage(options.out, invocation) })).problems;
  return {
    diagnostics: [...problems, ...written],
    sources: project.texts,
    root: project.root,
    review: {
      base,
      findings: [...diagnostics, ...marked],
      costs,
      tapes,
      refusals: "refusal" in changes ? [changes.refusal] : [],
    },
    data: { changes: JSON.parse(JSON.stringify(changes)), tapes: JSON.parse(JSON.stringify(tapes)) },
  };
}

/** Returns the folder of a project's page; with `--all`, it has the name of the configuration. */
function placePage(out: string, { folder, options }: Invocation): string {
  return options.all === true ? `${out}/${toSlashPath(folder, options.config ?? "")}` : out;
}

/** Writes the review of one project, or of all, to where it is wanted. */
async function completeReview(
  reviewed: CommandResult,
  invocation: Invocation<ReviewCommandOptions>,
): Promise<CommandResult> {
  const { options, folder, terminal, words } = invocation;
  const { review: joined, root = invocation.root, data = {} } = reviewed;
  if (joined === undefined) return reviewed;
  const { ALL, reviewMarkdown, reviewMark, writeChangesPage } = await import("@hasp/catalogue");
  const isAll = options.all === true;
  const [base = ""] = words;
  const gone = isAll ? findGoneProjects(base, folder) : findReplacedProjects(base, root, folder);
  const whole: Review = { ...joined, findings: [...gone, ...joined.findings] };
  const config = findNamedConfig(invocation);
  const place = {
    prefix: pathInCheckout(root, terminal.environment["GITHUB_WORKSPACE"]),
    config: isAll ? ALL : config && basename(config),
  };
  const written =
    isAll && options.out !== undefined
      ? await writeChangesPage(whole, { folder, out: options.out, pages: Object.keys(data) })
      : [];
  const markdown = reviewMarkdown(whole, { ...place, ...linksToLines(terminal.environment) });
  const comment = options.comment === true ? await putReview(invocation, reviewMark(place), markdown) : undefined;
  const diagnostics = [...reviewed.diagnostics, ...written];
  return {
    ...reviewed,
    diagnostics: [...diagnostics, ...(comment?.problems ?? [])],
    // Errors in specs are findings; without a base or a page the command has failed.
    state: diagnostics.some(({ code }) => /^(?:diff|cli)\//u.test(code)) ? "unchecked" : reviewed.state,
    product: markdown,
    ...(comment && { text: comment.text }),
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
