import type { Client } from "@hasp/compiler/model";

export const copilotCli: Client = {
  id: "copilot-cli",
  title: "GitHub Copilot CLI",
  facts: {
    nameCharacters: {
      only: "[A-Za-z0-9_-]",
      effect: "fails every request",
      source: "github/copilot-cli#1879",
      date: "2026-03-06",
    },
  },
};

export const vscode: Client = {
  id: "vscode",
  title: "VS Code",
  facts: {
    tools: {
      most: 128,
      effect: "fails every request",
      source: "microsoft/vscode-copilot-release#13065",
      date: "2025-12-06",
    },
    arrayItems: {
      effect: "refuses the tool",
      source: "microsoft/vscode#284536, lerd-env/lerd#1267",
      date: "2026-08-03",
    },
  },
};
