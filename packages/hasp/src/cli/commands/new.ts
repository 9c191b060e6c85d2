import { resolve } from "node:path";
import { Option } from "commander";
import { validToolName } from "../../importers/specs/tool-names.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { makeUserFile } from "../../host/output/user-files.js";
import { readOwnTemplate, readTemplate } from "../../host/installation/templates.js";
import { checkTemplate } from "../../../../compiler/src/templates/check-template.js";
import { filledTemplate } from "../../../../compiler/src/templates/fill-template.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { editorSchemaPath } from "../shell/editor-schema.js";
import { specFolder } from "../project/spec-folder.js";

interface NewOptions {
  readonly kind: (typeof KINDS)[number];
  readonly out?: string;
}

const KINDS = ["read", "write", "destructive", "shell"] as const;

/** `hasp new <name>`: a first spec of one kind, as strict as that kind can be. */
export const newTool: CommandModule = {
  showsNotes: true,
  configure(command) {
    command
      .argument("<name>", "the tool's name, such as find_orders")
      .addOption(new Option("--kind <kind>", "what the tool does").choices(KINDS).makeOptionMandatory())
      .option("--out <folder>", "where to put the spec (default: specs in the project's root)");
  },
  run: async (invocation) => runNew(invocation as Invocation<NewOptions>),
};

async function runNew({ words, options, folder, root }: Invocation<NewOptions>): Promise<CommandResult> {
  const [name = ""] = words;
  if (validToolName(name) !== name) {
    return { diagnostics: [cliDiagnostics("invalid-name", undefined, { name })], couldNotCheck: true };
  }
  const place = specFolder(root, folder, options.out);
  if ("finding" in place) return { diagnostics: [place.finding], couldNotCheck: true };
  const out = place.path;
  const path = resolve(out, `${name}.tool.yaml`);
  const shown = slashPath(folder, path);
  const template = `new/${options.kind}.tool.yaml`;
  const own = readOwnTemplate(root, template);
  const problems =
    own === undefined ? [] : checkTemplate(own, { known: ["TOOL_NAME", "SCHEMA"], required: ["TOOL_NAME"] });
  if (own !== undefined && problems.length > 0) {
    return { diagnostics: problems, sources: new Map([[own.uri, own.text]]), couldNotCheck: true };
  }
  const text = filledTemplate(own?.text ?? (await readTemplate(template)), {
    TOOL_NAME: name,
    SCHEMA: editorSchemaPath(root, out),
  });
  const result = await makeUserFile(path, text);
  if (result.state === "exists" || result.state === "unchanged") {
    const remedy = "Choose another name, or delete the file first.";
    return { diagnostics: [cliDiagnostics("file-exists", undefined, { path: shown, remedy })] };
  }
  if (result.state === "failed") {
    const reason = result.reason ?? "unknown";
    return { diagnostics: [cliDiagnostics("cannot-write", undefined, { path: shown, reason })], couldNotCheck: true };
  }
  return {
    diagnostics: [],
    summary: { written: [shown] },
    text: `Wrote ${visibleText(shown)}. Describe the tool there and give it its real fields; \`hasp check\` says what is missing.\n`,
  };
}
