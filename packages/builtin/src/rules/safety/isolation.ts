import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import type { FlatTool } from "@hasp/compiler";
import { listProgramFields } from "../reading/program-fields.js";
import { saysProgram } from "../reading/program-words.js";

export const contextInIsolation: Rule = defineRule({
  id: "safety/context-in-isolation",
  severity: "error",
  summary: "A handler in a process of its own does not use the context.",
  why:
    "The context holds objects of the host's process: a database connection, a client, a user's session. They cannot be sent to another " +
    "process, so `execute` receives `undefined` there. The functions of the handler that decide about a call (`permit`, `custom` checks) run in the host and receive it.",
  messages: {
    "context-lost":
      '"handler.isolation" runs `execute` without a context, so it cannot use {names:list}. Remove "needs.context" and let `execute` create what it needs (from "needs.env", for example), or remove "handler.isolation".',
  },
  examples: {
    bad: [
      reporting("context-lost")`
        name: convert_image
        description: Convert an image.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        needs: { context: [workspace] }
        handler: { isolation: { memoryMb: 512 } }
      `,
    ],
    good: [
      spec`
        name: convert_image
        description: Convert an image.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        needs: { env: [WORKSPACE] }
        handler: { isolation: { memoryMb: 512 } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const names = tool.spec.needs?.context ?? [];
    if (tool.spec.handler?.isolation === undefined || names.length === 0) return;
    report("context-lost", { location: tool.locate("/needs/context") }, { names });
  },
});

export const unsafeWithoutIsolation: Rule = defineRule({
  id: "safety/unsafe-without-isolation",
  severity: "info",
  summary: "A tool that runs a model's programs states how they are isolated.",
  why:
    "UNSAFE means that a call runs alone, not that it can do no harm. A command or script that a model writes has access to " +
    "everything in the host process, its environment and its open connections, unless the handler runs it elsewhere: in a child process " +
    "(`handler.isolation` in the spec), in a container, on another machine. hasp recognises that key, and `isolate` of @hasp/handlers/isolation in the handler; it cannot detect anything else, so it asks.",
  messages: {
    "not-isolated":
      '"{field}" runs with the full access of the host process, as far as this spec and the handler show. Run it in a process of its own (handler: { isolation: {} }), or say how it is isolated: # hasp-ignore safety/unsafe-without-isolation -- …',
  },
  examples: {
    bad: [
      reporting("not-isolated")`
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
      `,
      reporting("not-isolated")`
        name: start_task
        description: Start a task.
        input: { type: object, required: [payload], properties: { payload: { type: string, description: Shell line for bash. } } }
      `,
    ],
    good: [
      {
        spec: spec`
          name: run_shell
          description: Run one command. Its handler exports isolate({ … }).
          input: { type: object, required: [command], properties: { command: { type: string } } }
        `,
        plan: { handlerDigests: { "src/tools/run-shell.ts": { digest: "", own: "", isolates: true } } },
      },
      spec`
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
        handler: { isolation: { memoryMb: 512, cpuSeconds: 30 } }
      `,
      spec`
        # hasp-ignore safety/unsafe-without-isolation -- the handler runs it in a container without a network
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
      `,
      spec`
        name: execute_sql
        description: Run one SQL statement.
        input: { type: object, required: [query], properties: { query: { type: string, contentMediaType: application/sql } } }
      `,
    ],
  },
  readTool: (tool) =>
    tool.worstCase.class === "UNSAFE" && tool.spec.handler?.isolation === undefined ? hostPrograms(tool) : [],
  checkProject({ tools, handlers, readingOf }, { report }) {
    for (const tool of tools) {
      if (handlers.get(tool.name)?.isolates === true) continue;
      for (const field of readingOf(tool)) report("not-isolated", { tool, location: tool.locate("/name") }, { field });
    }
  },
});

const RUN_ELSEWHERE =
  /quer(?:y|ies)\b|statement|sql\b|cypher|graphql|promql|logql|sparql|jql|kql|soql|jq\b|xpath|application\/(?:[\w.-]+\+)?(?:sql|graphql)/iu;
const HOST_NAME =
  /(?:command|cmd|script|shell|code|program|snippet|bash|powershell|python|javascript|lua)(?:[_A-Z].*|s)?$/u;

function hostPrograms(tool: FlatTool): readonly string[] {
  const nodes = new Map(tool.input.nodes.map(({ pointer, schema }) => [pointer, schema]));
  const field = listProgramFields(tool, "likely").find(({ name, pointer }) => {
    if (HOST_NAME.test(name) || /(?:command|cmd|script|shell|code|program)s?$/iu.test(name)) return true;
    const { description = "", contentMediaType = "" } = nodes.get(pointer) ?? {};
    const words = `${name} ${contentMediaType} ${description}`;
    return !RUN_ELSEWHERE.test(words) && (saysProgram(description) || contentMediaType !== "");
  });
  return field === undefined ? [] : [field.name];
}
