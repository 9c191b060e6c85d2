import { join } from "node:path";
import { suggestionsFor } from "../../../../compiler/src/diagnostics/closest.js";
import { isError } from "../../../../compiler/src/diagnostics/severity.js";
import { declarationOf } from "../../../../compiler/src/model/handlers/declaration-of.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import type { Ejection } from "../eject/ejection.js";
import { compileProject, isCompiled } from "../project/project.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export const eject: CommandModule = {
  showsNotes: true,
  configure(command) {
    command.argument("<tool>", "the name of a tool that declares its handler");
  },
  run: runEject,
};

async function runEject(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.words;
  // Unapproved tools can be ejected too, since nothing is built here.
  const project = await compileProject(invocation, { unlocked: false, adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (!isCompiled(project)) return project;
  const common = { sources: project.texts, root: project.root };
  const tool = project.result.tools.find((each) => each.name === name);
  const errors = project.diagnostics.filter(isError);
  if (tool === undefined) {
    const nearest = suggestionsFor(
      name,
      project.result.tools.map((each) => each.name),
    );
    const unknown = cliDiagnostics("unknown-tool", undefined, { name, nearest });
    return { ...common, diagnostics: [...errors, unknown], couldNotCheck: true };
  }
  const ofTool = errors.filter((each) => each.tool === name);
  if (ofTool.length > 0) return { ...common, diagnostics: ofTool };
  const refused = (problem: string): CommandResult => ({
    ...common,
    diagnostics: [cliDiagnostics("cannot-eject", tool.locate("/name"), { tool: name, problem })],
  });
  if (declarationOf(tool.spec) === undefined) {
    return refused("its spec declares none, so the handler is your own already");
  }
  const { ejectionOf } = await import("../eject/ejection.js");
  const ejection = await ejectionOf(tool, project);
  if ("problem" in ejection) return refused(ejection.problem);
  return { ...common, ...(await write(ejection, project.root, name)) };
}

/** Writes both the handler and the spec, or neither. */
async function write({ handler, spec, testsChanged }: Ejection, root: string, tool: string): Promise<CommandResult> {
  const [{ makeUserFile, editUserFile, removeUserFile }, { formatUserFiles }] = await Promise.all([
    import("../../../../project/src/output/user-files.js"),
    import("../../../../project/src/output/format-user-file.js"),
  ]);
  const [formatted] = await formatUserFiles([{ ...handler, owner: "user" }], root);
  const target = join(root, handler.path);
  const made = await makeUserFile(target, formatted?.text ?? handler.text);
  if (made.state === "exists" || made.state === "unchanged") {
    const remedy = "Delete it, or move what you need of it elsewhere, and run the command again.";
    return { diagnostics: [cliDiagnostics("file-exists", undefined, { path: handler.path, remedy })] };
  }
  const failed = (path: string, reason = "unknown"): CommandResult => ({
    diagnostics: [cliDiagnostics("cannot-write", undefined, { path, reason })],
    couldNotCheck: true,
  });
  if (made.state === "failed") return failed(handler.path, made.reason);
  const edited = await editUserFile(join(root, spec.uri), (present) =>
    present === spec.before ? spec.text : undefined,
  );
  if (edited.state !== "replaced") {
    await removeUserFile(target);
    return failed(spec.uri, edited.reason ?? "somebody else changed it");
  }
  const tests =
    testsChanged === 0
      ? ""
      : ` ${pluralize(testsChanged, "test")} stated what a service or program answers; a handler of your own is not tested that way, and ${testsChanged === 1 ? "it was" : "they were"} removed or shortened.`;
  return {
    diagnostics: [],
    summary: { written: [handler.path, spec.uri] },
    text: `Wrote ${visibleText(handler.path)}: it is yours from now on. ${visibleText(spec.uri)} no longer declares the handler of ${visibleText(tool)}.${tests} Claims that were approved for the declaration need a new approval. Run \`hasp build\` next.\n`,
  };
}
