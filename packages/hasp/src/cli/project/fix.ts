import { resolve } from "node:path";
import { type Diagnostic, printVisibleLines, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { createProjectReader } from "@hasp/project";
import { printUnifiedDiff, editUserFile } from "@hasp/project/output";
import type { SourceText } from "@hasp/compiler";
import { type Invocation, type CommandResult, printNextBuild } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { compileProject, isCompiled, type CompiledProject } from "./project.js";

interface FixSettings {
  readonly unlocked: boolean;
  readonly isDryRun: boolean;
}

/** Applies the fixes of findings to the user's files and reports the rest. `isDryRun` only shows the differences. */
export async function fixProject(invocation: Invocation, { unlocked, isDryRun }: FixSettings): Promise<CommandResult> {
  const project = await compileProject(invocation, { unlocked });
  if (!isCompiled(project)) return project;
  const [{ applyFixes }, { compile }] = await Promise.all([import("@hasp/compiler/edit"), import("@hasp/compiler")]);
  const files = [...project.sources, ...settingFiles(project)];
  const fixed = await applyFixes({
    files,
    diagnostics: project.diagnostics,
    compile: (changed) =>
      compile(
        changed.filter(({ role }) => role !== "config"),
        project.plan,
        { emits: false, ...(project.plugins === undefined ? {} : { plugins: project.plugins }) },
      ),
  });
  const changes = fixed.files.flatMap((file, index): readonly FixedFile[] => {
    const before = files[index]?.text;
    return before === undefined || before === file.text ? [] : [{ path: file.uri, before, after: file.text }];
  });
  const data = {
    fixed: fixed.findings.map(({ code, location }) => ({
      code,
      uri: location?.uri ?? null,
      line: location?.range.start.line ?? null,
    })),
    changed: changes.map(({ path }) => path),
  };
  const lines = fixed.findings.map(
    ({ code, location }) =>
      `  ${printVisibleText(`${location?.uri ?? ""}:${location?.range.start.line ?? 1}`)}  ${code}`,
  );
  const done = isDryRun ? "would be fixed" : "fixed";
  const verdict = `${pluralize(fixed.findings.length, "finding")} ${done} in ${pluralize(changes.length, "file")}.`;
  if (isDryRun) {
    const diffs = changes.map(({ path, before, after }) => printVisibleLines(printUnifiedDiff(path, before, after)));
    return { ...reportOf(project), data, text: `${[...diffs, [verdict, ...lines].join("\n")].join("\n\n")}\n` };
  }
  const problems = await writeAll(changes, project.root);
  const left = await compileProject(invocation, { unlocked });
  const rest = isCompiled(left) ? reportOf(left) : left;
  return {
    ...rest,
    diagnostics: [...rest.diagnostics, ...problems],
    data,
    text: `${[verdict, ...lines].join("\n")}\n${changes.length === 0 ? "" : printNextBuild(invocation)}`,
    state: rest.state === "unchecked" || problems.length > 0 ? "unchecked" : undefined,
  };
}

function reportOf({ diagnostics, texts, root }: CompiledProject): CommandResult {
  return { diagnostics, sources: texts, root };
}

interface FixedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the configuration and presets that fixes may change. Installed files are never changed. */
function settingFiles({ diagnostics, sources, root }: CompiledProject): readonly SourceText[] {
  const known = new Set(sources.map(({ uri }) => uri));
  const uris = new Set(diagnostics.flatMap(({ fix }) => fix?.uri ?? []));
  const own = [...uris].filter(
    (uri) =>
      !known.has(uri) &&
      /\.(?:ya?ml|json)$/u.test(uri) &&
      !uri.split("/").some((part) => part === ".." || part === "node_modules"),
  );
  const reader = createProjectReader(root);
  return own.flatMap((uri) => reader.read(uri, "config") ?? []);
}

async function writeAll(changes: readonly FixedFile[], root: string): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  for (const { path, before, after } of changes) {
    let isOther = false;
    const result = await editUserFile(resolve(root, path), (text) => {
      isOther = text !== before;
      return isOther ? undefined : after;
    });
    const reason = isOther
      ? "somebody else has just changed it"
      : result.state === "failed"
        ? (result.reason ?? "unknown")
        : undefined;
    if (reason !== undefined) problems.push(cliDiagnostics("cannot-write", undefined, { path, reason }));
  }
  return problems;
}
