import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { runGit } from "./run-git.js";
import { toSlashPath } from "./slash-path.js";

/** Returns git's user in a folder, `Name <email>` or one of the two; `undefined` if git knows neither. */
export function readGitUser(folder: string): string | undefined {
  const { status, out } = runGit(folder, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  if (status !== 0) return undefined;
  const pairs = out
    .toString("utf8")
    .split("\0")
    .map(
      (line) =>
        [
          line.replace(/\n.*/su, ""),
          line
            .replace(/^[^\n]*\n?/u, "")
            .replace(/\s+/gu, " ")
            .trim(),
        ] as const,
    );
  const known = new Map(pairs);
  const [name, email] = [known.get("user.name") ?? "", known.get("user.email") ?? ""];
  const user = [name, ...(email === "" ? [] : [name === "" ? email : `<${email}>`])].join(" ").trim();
  return user === "" ? undefined : user;
}

/**
 * Returns the last author of each file that the commits since `base` have changed, by its path from a folder; empty if
 * `base` is no commit.
 */
export function listAuthors(folder: string, base: string): ReadonlyMap<string, string> {
  const authors = new Map<string, string>();
  const [home, log] = [
    ["rev-parse", "--show-cdup"],
    ["log", "-z", "--format=%x01%an", "--name-only", "--end-of-options", `${base}..HEAD`, "--"],
  ].map((words) => runGit(folder, words).out.toString("utf8"));
  let author = "";
  for (const part of log?.split("\0").filter((each) => each !== "") ?? []) {
    // A line break parts a commit's first path from its author.
    const uri = toSlashPath(folder, join(folder, home?.trim() ?? "", part.replace(/^\n/u, "")));
    if (part.startsWith("\u0001")) author = part.slice(1);
    else if (!authors.has(uri)) authors.set(uri, author);
  }
  return authors;
}

/** Finds the nearest folder, from `folder` upwards, that holds an entry of this name. */
export function findUp(folder: string, entry: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, entry))) return current;
    if (dirname(current) === current) return undefined;
  }
}

export function findFirstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}

/** Finds the top of a project's repository: where git keeps it, else its workspace, else the project itself. */
export function findRepository(root: string): string {
  const start = realpathSync.native(root);
  return findUp(start, ".git") ?? findWorkspace(start) ?? start;
}

function findWorkspace(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml")) || listsWorkspaces(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function listsWorkspaces(path: string): boolean {
  const content = attempt((): unknown => JSON.parse(readFileSync(path, "utf8")));
  return isObject(content) && Object.hasOwn(content, "workspaces");
}
