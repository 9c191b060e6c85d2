import type { Diagnostic } from "@hasp/base/diagnostics";
import { createProjectReader } from "../fs/read-inside.js";
import { updateUserFile } from "../output/user-files.js";
import type { SourceText } from "@hasp/compiler";
import type { CompiledProject } from "./compile-project.js";
import { sessionDiagnostics } from "./diagnostics.js";

/** A file of the user before and after its fixes. */
export interface FixedFile {
  readonly path: string;
  /** Absent if the file is new. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Fixes the findings of a project that have exactly one remedy. Writes nothing. */
export async function fixFiles(
  project: CompiledProject,
): Promise<{ readonly changes: readonly FixedFile[]; readonly fixed: readonly Diagnostic[] }> {
  const [{ applyFixes }, { compile }] = await Promise.all([import("@hasp/compiler/edit"), import("@hasp/compiler")]);
  const files = [...project.sources, ...settingFiles(project)];
  const fixed = await applyFixes({
    files,
    diagnostics: project.diagnostics,
    compile: (changed) =>
      compile(
        changed.filter(({ role }) => role !== "config"),
        project.plan,
        { emits: false, plugins: project.plugins },
      ),
  });
  const changes = fixed.files.flatMap((file, index): readonly FixedFile[] => {
    const before = files[index]?.text;
    return before === undefined || before === file.text ? [] : [{ path: file.uri, before, after: file.text }];
  });
  return { changes, fixed: fixed.findings };
}

/** Returns the configuration and presets that fixes may change. Installed files are never changed. */
function settingFiles({ diagnostics, sources, root }: CompiledProject): readonly SourceText[] {
  const known = new Set(sources.map(({ uri }) => uri));
  const uris = new Set(diagnostics.flatMap(({ fix }) => fix?.uri ?? []));
  const own = [...uris].filter((uri) => !known.has(uri) && isEditable(uri));
  const reader = createProjectReader(root);
  return own.flatMap((uri) => reader.read(uri, "config") ?? []);
}

/** True for a file of settings that is data, and neither installed nor outside the project. */
export function isEditable(uri: string): boolean {
  return /^(?!(?:.*\/)?(?:\.\.|node_modules)\/).*\.(?:ya?ml|json)$/su.test(uri);
}

/** Writes fixed files; a file that has changed since it was read stays. */
export async function writeFixes(changes: readonly FixedFile[], root: string): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  for (const { path, before, after } of changes) {
    const reason = await updateUserFile(root, path, before, after);
    if (reason === undefined) continue;
    problems.push(sessionDiagnostics("cannot-write", undefined, { path, reason }));
    // Later edits refer to the new file.
    if (before === undefined) break;
  }
  return problems;
}
