import type { CommandJob, CommandModule } from "./shell/command.js";
import type { CommandGroup } from "./shell/verbs.js";

interface CommandEntry {
  readonly name: string;
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
    summary: "Set up a project: a configuration, package scripts, a workflow, a ledger owner.",
    standsAlone: true,
    load: async () => (await import("./commands/init.js")).init,
  },
  {
    name: "new",
    summary: "Create a spec with the strictest values.",
    load: async () => (await import("./commands/new.js")).newTool,
  },
  {
    name: "import",
    summary: "Turn existing tools into specs without trusting their claims.",
    load: async () => (await import("./commands/import.js")).importCommand,
  },
  {
    name: "check",
    summary: "Report every finding in the specs; write nothing.",
    aliases: ["lint"],
    load: async () => (await import("./commands/check.js")).check,
  },
  {
    name: "build",
    summary: "Compile the specs: write all files, or none if there is an error.",
    load: async () => (await import("./commands/build.js")).build,
    jobs: {
      clean: async () => (await import("./build/clean.js")).clean,
      pin: async () => (await import("./build/pin.js")).pin,
    },
  },
  {
    name: "test",
    summary: "Run the tests and examples in the specs.",
    load: async () => (await import("./commands/test.js")).test,
  },
  {
    name: "call",
    summary: "Run one call through every phase and show each phase.",
    load: async () => (await import("./commands/call.js")).call,
  },
  {
    name: "serve",
    summary: "Serve the tools to MCP clients, over standard input and output or HTTP.",
    load: async () => (await import("./commands/serve.js")).serve,
  },
  {
    name: "export",
    summary: "Write the MCP registry's file of this server, or the manifest of a bundle that clients install.",
    load: async () => (await import("./commands/export.js")).exportServer,
  },
  {
    name: "login",
    summary: "Let a person approve a connection that needs OAuth, or forget its tokens.",
    load: async () => (await import("./commands/login.js")).login,
  },
  {
    name: "calls",
    summary: "List the calls that wait for a decision, answer one, or print who decided what.",
    load: async () => (await import("./commands/calls.js")).calls,
  },
  {
    name: "eject",
    summary: "Turn a handler that a spec declares into code of your own.",
    load: async () => (await import("./commands/eject.js")).eject,
  },
  {
    name: "show",
    summary: "List the tools, or show a tool, policy, toolset, rule or finding.",
    standsAlone: true,
    load: async () => (await import("./commands/show.js")).show,
  },
  {
    name: "approve",
    summary: "Approve claims that loosen a fail-closed default.",
    load: async () => (await import("./commands/approve.js")).approve,
  },
  {
    name: "diff",
    summary: "Compare with another version: what breaks callers, loosens safety or changes the prompt.",
    load: async () => (await import("./commands/diff.js")).diff,
  },
  {
    name: "review",
    summary: "Report what a change breaks, loosens, rewords and costs, as Markdown, a page or a comment.",
    load: async () => (await import("./commands/review.js")).review,
  },
  {
    name: "catalogue",
    summary: "Write a self-contained page that shows all tools to the people who decide about them.",
    load: async () => (await import("./commands/catalogue.js")).catalogue,
  },
  {
    name: "ci",
    summary: "Run everything a pipeline needs: check, build --check, test and, with a base, diff.",
    load: async () => (await import("./commands/ci.js")).ci,
  },
  {
    name: "lsp",
    summary: "Serve an editor: findings, completion and edits, over the Language Server Protocol.",
    standsAlone: true,
    load: async () => (await import("./commands/lsp.js")).lsp,
  },
  {
    name: "schema",
    summary: "Flatten a schema, or print it as one provider accepts it, with every loss.",
    standsAlone: true,
    load: async () => (await import("./commands/schema.js")).schema,
  },
];
