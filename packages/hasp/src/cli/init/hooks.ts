import { join } from "node:path";
import { isMap, isSeq, parseDocument } from "yaml";
import { fillPlaceholders, findLineStart } from "@hasp/base/diagnostics";
import { readOwnMember, toList } from "@hasp/base/json";
import { readTemplate, toSlashPath } from "@hasp/project";
import { findFirstExisting } from "@hasp/project/read";
import type { JsonValue } from "@hasp/schema";
import type { FoundConfiguration } from "./configurations.js";
import type { InitFile } from "./write-files.js";

/** Creates the hook: an entry for the pre-commit framework if the repository uses it, else a Git hook script. */
export async function preCommitHook(repository: string, folder: string): Promise<InitFile> {
  const project = toSlashPath(repository, folder) || ".";
  const framework = findFirstExisting([join(repository, ".pre-commit-config.yaml")]);
  if (framework !== undefined) {
    const entry = fillPlaceholders(await readTemplate("hooks/pre-commit-config.yaml"), {
      FOLDER: JSON.stringify(project),
    });
    return {
      path: framework,
      what: "an entry that runs hasp ci",
      edit: (text) => (text === undefined ? entry : withHook(text, entry)),
    };
  }
  const script = fillPlaceholders(await readTemplate("hooks/pre-commit"), {
    FOLDER: quoteForShell(project),
  });
  return {
    path: join(repository, ".githooks/pre-commit"),
    what: "git config core.hooksPath .githooks",
    isProgram: true,
    edit: () => script,
  };
}

/** Creates the hook that builds when branches merge: each has built without the tools of the other. */
export async function mergeHook(
  repository: string,
  folder: string,
  configurations: readonly FoundConfiguration[],
): Promise<InitFile> {
  const builds = configurations.flatMap(({ path, outDir }) => [
    `npx --no-install hasp build --quiet${path === "" ? "" : ` --config ${quoteForShell(path)}`}`,
    `git add -A -- ${quoteForShell(outDir)}`,
  ]);
  const values = { FOLDER: quoteForShell(toSlashPath(repository, folder) || "."), BUILDS: builds.join("\n") };
  const script = fillPlaceholders(await readTemplate("hooks/pre-merge-commit"), values);
  return {
    path: join(repository, ".githooks/pre-merge-commit"),
    what: "builds when branches merge",
    isProgram: true,
    edit: () => script,
  };
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function withHook(text: string, entry: string): string | undefined {
  const document = parseDocument(text);
  const repos = document.get("repos", true);
  if (isSeq(repos) && toList(repos.toJS(document)).some(hasOurHook)) return undefined;
  const lines = entry.split("\n").slice(1);
  const [first] = isSeq(repos) && repos.flow !== true ? repos.items : [];
  if (isSeq(repos) && isMap(first)) {
    const lineStart = findLineStart(text, first.range?.[0] ?? 0);
    const indent = /^[ \t]*/u.exec(text.slice(lineStart))?.[0] ?? "";
    const end = text.slice(0, repos.range?.[1]).trimEnd().length;
    const added = lines.filter((line) => line !== "").map((line) => indent + line.slice(2));
    return `${text.slice(0, end)}\n${added.join("\n")}${text.slice(end) === "" ? "\n" : text.slice(end)}`;
  }
  // The list is on one line, or missing: print it again, with its comments.
  const [ours] = toList(readOwnMember(parseDocument(entry).toJS(), "repos"));
  document.addIn(["repos"], document.createNode(ours));
  return document.toString({ lineWidth: 0 });
}

function hasOurHook(repo: JsonValue): boolean {
  return toList(readOwnMember(repo, "hooks")).some((hook) => readOwnMember(hook, "id") === "hasp");
}
