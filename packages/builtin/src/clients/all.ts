// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { Client } from "@hasp/compiler/model";
import { claudeCode, claudeDesktop } from "./tables/anthropic.js";
import { codex, cursor, geminiCli, opencode } from "./tables/others.js";
import { copilotCli, vscode } from "./tables/microsoft.js";

/** Every client that hasp knows, by id. */
export const clients: { readonly [id: string]: Client } = Object.freeze({
  "claude-code": claudeCode,
  "claude-desktop": claudeDesktop,
  codex,
  "copilot-cli": copilotCli,
  cursor,
  "gemini-cli": geminiCli,
  opencode,
  vscode,
});
