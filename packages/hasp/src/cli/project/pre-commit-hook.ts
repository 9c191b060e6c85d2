import { join } from "node:path";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { firstExisting } from "../../../../project/src/fs/find-up.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { readTemplate } from "../../../../project/src/installation/templates.js";
import { filledTemplate } from "../../../../compiler/src/templates/fill-template.js";

/** A file that `hasp init` creates or extends. */
export interface InitFile {
  readonly path: string;
  /** A few words on its purpose. */
  readonly what: string;
  /** Executable; created as a whole or not at all. */
  readonly isProgram?: boolean;
  /** Returns the new text; `undefined` if nothing is missing. */
  edit(text: string | undefined): string | undefined;
}

/**
 * Creates the pre-commit hook: an entry for the pre-commit framework if the repository uses it, else a Git hook script.
 */
export async function preCommitHook(repository: string, folder: string): Promise<InitFile> {
  const project = slashPath(repository, folder) || ".";
  const framework = firstExisting([join(repository, ".pre-commit-config.yaml")]);
  if (framework !== undefined) {
    const entry = filledTemplate(await readTemplate("hooks/pre-commit-config.yaml"), {
      FOLDER: JSON.stringify(project),
    });
    return {
      path: framework,
      what: "an entry that runs hasp ci",
      edit: (text) => (text === undefined ? entry : withHook(text, entry)),
    };
  }
  const script = filledTemplate(await readTemplate("hooks/pre-commit"), {
    FOLDER: `'${project.replaceAll("'", String.raw`'\''`)}'`,
  });
  return {
    path: join(repository, ".githooks/pre-commit"),
    what: "git config core.hooksPath .githooks",
    isProgram: true,
    edit: () => script,
  };
}

/** Appends our entry to the framework's file and keeps the rest. */
function withHook(text: string, entry: string): string | undefined {
  const repos = parseDocument(text).get("repos", true);
  if (isSeq(repos) && repos.items.some(hasOurHook)) return undefined;
  const lines = entry.split("\n").slice(1);
  const [first] = isSeq(repos) && repos.flow !== true ? repos.items : [];
  const start = isMap(first) ? (first.range?.[0] ?? 0) : undefined;
  if (isSeq(repos) && start !== undefined) {
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const indent = /^[ \t]*/u.exec(text.slice(lineStart))?.[0] ?? "";
    const end = text.slice(0, repos.range?.[1]).trimEnd().length;
    const added = lines.filter((line) => line !== "").map((line) => indent + line.slice(2));
    return `${text.slice(0, end)}\n${added.join("\n")}${text.slice(end) === "" ? "\n" : text.slice(end)}`;
  }
  // A list on one line, or none yet: print it again, with its comments.
  const document = parseDocument(text);
  const ours: unknown = parseDocument(entry).toJS();
  document.addIn(["repos"], document.createNode((ours as { readonly repos: readonly unknown[] }).repos[0]));
  return document.toString({ lineWidth: 0 });
}

function hasOurHook(repo: unknown): boolean {
  const hooks = isMap(repo) ? repo.get("hooks", true) : undefined;
  return (
    isSeq(hooks) &&
    hooks.items.some((hook) => isMap(hook) && isScalar(hook.get("id", true)) && hook.get("id") === "hasp")
  );
}
