import type { Client } from "@hasp/compiler/model";

export const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  facts: {
    nameLength: {
      form: "mcp__{server}__{tool}",
      most: 64,
      effect: "fails every request",
      source: "anthropics/claude-code#19882",
      date: "2026-01-21",
    },
    descriptionLength: {
      most: 2048,
      effect: "cuts off the rest",
      source: "anthropics/claude-code#87650",
      date: "2026-08-18",
    },
    outputRecursion: {
      effect: "rejects every tool of the server",
      source: "anthropics/claude-code#77106",
      date: "2026-07-13",
    },
  },
};

export const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  facts: {
    nameLength: {
      form: "{tool}",
      most: 64,
      effect: "rejects every tool of the server",
      source: "anthropics/claude-code#34960",
      date: "2026-03-16",
    },
  },
};
