import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { findUp } from "../fs/read-git.js";

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
