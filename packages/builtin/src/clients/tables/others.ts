import type { Client } from "@hasp/compiler/model";

export const codex: Client = {
  id: "codex",
  title: "Codex",
  facts: {
    nameCharacters: {
      only: "[A-Za-z0-9_-]",
      effect: "fails every request",
      source: "openai/codex#8174",
      date: "2025-12-17",
    },
  },
};

export const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  facts: {
    // It speaks of 60, and left a tool out at 60.
    nameLength: {
      form: "{server}{tool}",
      most: 59,
      effect: "leaves the tool out",
      source: "ComposioHQ/composio#2788",
      date: "2026-02-27",
    },
    tools: { most: 80, effect: "warns", source: "DaxianLee/cocos-mcp-server#11", date: "2026-02-06" },
  },
};

export const geminiCli: Client = {
  id: "gemini-cli",
  title: "Gemini CLI",
  facts: {
    nameLength: {
      form: "mcp_{server}_{tool}",
      most: 63,
      effect: "cuts the middle out of the name, so that two tools may become one",
      source: "google-gemini/gemini-cli#28971",
      date: "2026-08-23",
    },
  },
};

export const opencode: Client = {
  id: "opencode",
  title: "opencode",
  facts: {
    nameLength: {
      form: "{server}_{tool}",
      most: 64,
      effect: "stops without a message if the provider refuses longer names",
      source: "anomalyco/opencode#43684",
      date: "2026-08-20",
    },
  },
};
