import { dirname, resolve } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { isFolder } from "@hasp/project";
import { findProjectRoot } from "@hasp/project/session";
import type { Invocation } from "../shell/command.js";
import { findNamedConfig } from "./project.js";

/** Finds the project of an invocation, and enters it: the user's code runs there, as package scripts do. */
export function enterProject({
  folder,
  options,
  terminal,
}: Pick<Invocation, "folder" | "options" | "terminal">): { readonly root: string } | { readonly finding: Diagnostic } {
  const named = findNamedConfig({ options, terminal });
  const found = named === undefined ? findProjectRoot(folder) : { root: dirname(resolve(folder, named)) };
  if ("root" in found && isFolder(found.root)) terminal.enter(found.root);
  return found;
}
