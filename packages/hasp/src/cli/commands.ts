import type { CommandModule } from "./shell/command.js";

/** A command before it is loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Works without a project: the configuration of the folder has no say in it. */
  readonly standsAlone?: true;
  load(): Promise<CommandModule>;
}

/** Every command in the order in which a newcomer meets them. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Set a project up: a configuration, package scripts, a workflow, an owner of the ledger.",
    standsAlone: true,
    load: async () => (await import("./commands/init.js")).init,
  },
  {
    name: "new",
    summary: "Write a new spec that is as strict as can be.",
    load: async () => (await import("./commands/new.js")).newTool,
  },
  {
    name: "import",
    summary: "Turn tools that exist elsewhere into specs, without believing their claims.",
    load: async () => (await import("./commands/import.js")).importTools,
  },
  {
    name: "check",
    summary: "Report every mistake in the specs; write nothing.",
    load: async () => (await import("./commands/check.js")).check,
  },
  {
    name: "build",
    summary: "Compile the specs: all files, or none if there is an error.",
    load: async () => (await import("./commands/build.js")).build,
  },
  {
    name: "test",
    summary: "Run the tests and examples that stand in the specs.",
    load: async () => (await import("./commands/test.js")).test,
  },
  {
    name: "call",
    summary: "Run one call through every phase, and show each.",
    load: async () => (await import("./commands/call.js")).call,
  },
  {
    name: "serve",
    summary: "Serve the tools to an MCP client over standard input and output.",
    load: async () => (await import("./commands/serve.js")).serve,
  },
  {
    name: "show",
    summary: "Show what is known of a tool, or what a model sees of it.",
    load: async () => (await import("./commands/show.js")).show,
  },
  {
    name: "approve",
    summary: "Sign claims that loosen a fail-closed default into the ledger.",
    load: async () => (await import("./commands/approve.js")).approve,
  },
  {
    name: "diff",
    summary: "Compare with another version: what breaks callers, loosens safety, changes the prompt.",
    load: async () => (await import("./commands/diff.js")).diff,
  },
  {
    name: "ci",
    summary: "Everything that a pipeline asks: check, build --check, test and, with a base, diff.",
    load: async () => (await import("./commands/ci.js")).ci,
  },
  {
    name: "clean",
    summary: "Take away what hasp made and nobody edited.",
    load: async () => (await import("./commands/clean.js")).clean,
  },
  {
    name: "flatten",
    summary: "Print a schema without $ref and allOf: the same inputs, nothing else.",
    standsAlone: true,
    load: async () => (await import("./commands/flatten.js")).flattenFile,
  },
  {
    name: "lower",
    summary: "Print a schema as one provider takes it, with all that is lost.",
    standsAlone: true,
    load: async () => (await import("./commands/lower.js")).lowerFile,
  },
  {
    name: "explain",
    summary: "Explain a finding by the id at its end.",
    standsAlone: true,
    load: async () => (await import("./commands/explain.js")).explain,
  },
];
