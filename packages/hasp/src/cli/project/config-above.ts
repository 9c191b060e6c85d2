import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { configsIn } from "../../host/project/config-names.js";
import { slashPath } from "../../host/fs/slash-path.js";
import type { CommonOptions, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { Terminal } from "../shell/terminal.js";

/**
 * Refuses to work in a folder of a project as if it were one: approvals and generated files would be put where nobody
 * looks for them. Looks upwards from a folder without a configuration as far as its package or repository goes;
 * `undefined` where nothing speaks against the folder.
 */
export function configAbove(
  folder: string,
  { config }: Pick<CommonOptions, "config">,
  { environment, folder: current }: Pick<Terminal, "environment" | "folder">,
): CommandResult | undefined {
  if (config !== undefined || environment["HASP_CONFIG"] !== undefined) return undefined;
  for (let place = folder; ; place = dirname(place)) {
    const [name] = configsIn(place);
    if (name !== undefined && place === folder) return undefined;
    if (name !== undefined) {
      const path = slashPath(current, join(place, name));
      const found = cliDiagnostics("config-above", undefined, { path, cwd: slashPath(current, place) || "." });
      return { diagnostics: [found], couldNotCheck: true };
    }
    const isWhole = ["package.json", ".git"].some((entry) => existsSync(join(place, entry)));
    if (isWhole || dirname(place) === place) return undefined;
  }
}
