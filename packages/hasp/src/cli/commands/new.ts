import { resolve } from "node:path";
import { Option } from "commander";
import { createToolName } from "@hasp/import";
import { listTemplates, toSlashPath, readOwnTemplate, readTemplate } from "@hasp/project";
import { writeNew } from "../project/write-new.js";
import { checkTemplate } from "@hasp/compiler/source";
import { fillPlaceholders, printVisibleText } from "@hasp/base/diagnostics";
import { type CommandModule, type Invocation, type CommandResult, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { findEditorSchemaPath, findSpecFolder } from "@hasp/project/session";

interface NewOptions {
  readonly kind?: string;
  readonly out?: string;
}

const SPEC = ".tool.yaml";
/** Lists the kinds of tools: each has a template. */
const listKinds = (): readonly string[] =>
  listTemplates("new").flatMap((name) => (name.endsWith(SPEC) ? name.slice(0, -SPEC.length) : []));

export const newTool: CommandModule = {
  showsNotes: true,
  configure(command) {
    command
      .argument("<name>", "the tool's name, such as find_orders; or plugin, for a plugin with a rule and its test")
      .addOption(
        new Option("--kind <kind>", "what the tool does, or what its handler calls; needed for a tool").choices(
          listKinds(),
        ),
      )
      .option("--out <folder>", "where to put the spec (default: specs in the project's root)")
      .hook("preAction", ({ args }) => {
        if (command.opts<Partial<NewOptions>>().kind === undefined && args[0] !== "plugin") {
          command.error("error: required option '--kind <kind>' not specified");
        }
      });
  },
  run: runNew,
};

async function runNew({ words, options, folder, root }: Invocation<NewOptions>): Promise<CommandResult> {
  const [name = ""] = words;
  if (options.kind === undefined) return writePlugin(root, folder);
  if (createToolName(name) !== name) return refuse(cliDiagnostics("invalid-name", undefined, { name }));
  const place = findSpecFolder(root, folder, options.out);
  if ("finding" in place) return refuse(place.finding);
  const out = place.path;
  const path = resolve(out, `${name}.tool.yaml`);
  const shown = toSlashPath(folder, path);
  const template = `new/${options.kind}${SPEC}`;
  const own = readOwnTemplate(root, template);
  const problems =
    own === undefined ? [] : checkTemplate(own, { known: ["TOOL_NAME", "SCHEMA"], required: ["TOOL_NAME"] });
  if (own !== undefined && problems.length > 0) {
    return { diagnostics: problems, sources: new Map([[own.uri, own.text]]), state: "unchecked" };
  }
  const text = fillPlaceholders(own?.text ?? (await readTemplate(template)), {
    TOOL_NAME: name,
    SCHEMA: findEditorSchemaPath(root, out),
  });
  const unwritten = await writeNew(root, { path, text, shown }, "Choose another name, or delete the file first.");
  if (unwritten !== undefined) return unwritten;
  return {
    diagnostics: [],
    summary: { written: [shown] },
    text: `Wrote ${printVisibleText(shown)}. Describe the tool there and give it its real fields; \`hasp check\` says what is missing.\n`,
  };
}

async function writePlugin(root: string, folder: string): Promise<CommandResult> {
  const written: string[] = [];
  // npm leaves out files that are named like tests.
  for (const [template, name] of [
    ["acme.mjs", "acme.mjs"],
    ["acme-test.mjs", "acme.test.mjs"],
  ] as const) {
    const path = resolve(root, "hasp-plugins", name);
    const shown = toSlashPath(folder, path);
    const text = await readTemplate(`new/plugin/${template}`);
    const unwritten = await writeNew(root, { path, text, shown }, "Rename it, or delete it first.");
    if (unwritten !== undefined) return unwritten;
    written.push(shown);
  }
  return {
    diagnostics: [],
    summary: { written },
    text: `Wrote ${written.map(printVisibleText).join(" and ")}. Put \`plugins: [./hasp-plugins/acme.mjs]\` into the configuration, give the plugin your own name, and test it with \`node --test hasp-plugins\`.\n`,
  };
}
