import type { CommandJob, CommandModule } from "./shell/command.js";
import type { CommandGroup } from "./shell/verbs.js";

/** The parts of the work, in the order of help. */
export const GROUPS = {
  write: "Write specs",
  prove: "Prove",
  look: "Look",
  run: "Run",
  decide: "Decide",
} as const;

interface CommandEntry {
  readonly name: string;
  /** The part of the work under which help lists it. */
  readonly group: keyof typeof GROUPS;
  readonly summary: string;
  /** Works without a project, and ignores the folder's configuration. */
  readonly standsAlone?: true;
  /** Other names, which help does not list. */
  readonly aliases?: readonly string[];
  load(): Promise<CommandGroup | CommandModule>;
  /** Jobs of their own, which an option asks for in place of the command's. */
  readonly jobs?: { readonly [option: string]: () => Promise<CommandJob> };
}

export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    group: "write",
    summary: "Set up a project: configuration, scripts, workflow.",
    standsAlone: true,
    load: async () => (await import("./commands/init.js")).init,
  },
  {
    name: "new",
    group: "write",
    summary: "Create a spec with the strictest values.",
    load: async () => (await import("./commands/new.js")).newTool,
  },
  {
    name: "import",
    group: "write",
    summary: "Turn openapi, mcp, sql, … into specs; trust no claim.",
    load: async () => (await import("./commands/import.js")).importCommand,
  },
  {
    name: "eject",
    group: "write",
    summary: "Turn a handler that a spec declares into your own code.",
    load: async () => (await import("./commands/eject.js")).eject,
  },
  {
    name: "lsp",
    group: "write",
    summary: "Serve an editor: findings, completion and edits.",
    standsAlone: true,
    load: async () => (await import("./commands/lsp.js")).lsp,
  },
  {
    name: "check",
    group: "prove",
    summary: "Report or --fix findings in specs, or --from tool lists.",
    aliases: ["lint"],
    load: async () => (await import("./commands/check.js")).check,
    jobs: { from: async () => (await import("./commands/check-from.js")).checkFrom },
  },
  {
    name: "build",
    group: "prove",
    summary: "Compile the specs: write all files, or none.",
    load: async () => (await import("./commands/build.js")).build,
    jobs: {
      clean: async () => (await import("./build/clean.js")).clean,
      pin: async () => (await import("./build/pin.js")).pin,
    },
  },
  {
    name: "test",
    group: "prove",
    summary: "Run the tests and examples in the specs.",
    load: async () => (await import("./commands/test.js")).test,
  },
  {
    name: "ci",
    group: "prove",
    summary: "Run check, build --check, test and, with a base, diff.",
    load: async () => (await import("./commands/ci.js")).ci,
  },
  {
    name: "probe",
    group: "prove",
    summary: "Ask a provider which facts about its dialect still hold.",
    standsAlone: true,
    load: async () => (await import("./commands/probe.js")).probe,
  },
  {
    name: "show",
    group: "look",
    summary: "List tools; show one, what models read of it, or a rule.",
    standsAlone: true,
    load: async () => (await import("./commands/show.js")).show,
  },
  {
    name: "schema",
    group: "look",
    summary: "Flatten a schema, or print it as a provider accepts it.",
    standsAlone: true,
    load: async () => (await import("./commands/schema.js")).schema,
  },
  {
    name: "diff",
    group: "look",
    summary: "Compare versions: what breaks, loosens, rewords, costs.",
    load: async () => (await import("./commands/diff.js")).diff,
  },
  {
    name: "catalogue",
    group: "look",
    summary: "Write a page that shows all tools to those who decide.",
    load: async () => (await import("./commands/catalogue.js")).catalogue,
  },
  {
    name: "call",
    group: "run",
    summary: "Run one call through every phase and show each phase.",
    load: async () => (await import("./commands/call.js")).call,
  },
  {
    name: "serve",
    group: "run",
    summary: "Serve the tools to MCP clients, over stdio or HTTP.",
    load: async () => (await import("./commands/serve.js")).serve,
  },
  {
    name: "export",
    group: "run",
    summary: "Write server.json, or an mcpb manifest (Claude Desktop).",
    load: async () => (await import("./commands/export.js")).exportServer,
  },
  {
    name: "login",
    group: "run",
    summary: "Sign in to a service with OAuth; --forget signs out.",
    load: async () => (await import("./commands/login.js")).login,
  },
  {
    name: "approve",
    group: "decide",
    summary: "Approve claims that loosen a fail-closed default.",
    load: async () => (await import("./commands/approve.js")).approve,
  },
  {
    name: "calls",
    group: "decide",
    summary: "List the calls that wait, answer one, or audit them.",
    load: async () => (await import("./commands/calls.js")).calls,
  },
  {
    name: "review",
    group: "decide",
    summary: "Report a change as Markdown, a page or a comment.",
    load: async () => (await import("./commands/review.js")).review,
  },
];
