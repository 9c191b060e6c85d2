import { OUTPUT_CHECK } from "@hasp/runtime/contract";
import type { JsonObject } from "@hasp/schema";
import type { FlatTool } from "@hasp/compiler";
import type { Client } from "@hasp/compiler/model";
import { listToolsetMembers } from "@hasp/compiler/model";
import { spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { clientMessages, findClientFaults } from "../../clients/find-client-faults.js";
import { resolveClient } from "../../clients/resolve-client.js";

// Arrays in hasp's lists always say what their items are.
const { arrayItems: _never, ...messages } = clientMessages;

const DESK: Client = {
  id: "acme/desk",
  title: "Acme Desk",
  facts: {
    nameCharacters: { only: "[a-z]", effect: "leaves the tool out", source: "acme/desk#1", date: "2026-01-01" },
    descriptionLength: { most: 20, effect: "cuts off the rest", source: "acme/desk#2", date: "2026-01-01" },
    tools: { most: 1, effect: "takes the first", source: "acme/desk#3", date: "2026-01-01" },
  },
};

export const mcpClient: Rule = defineRule({
  id: "providers/mcp-client",
  severity: "warning",
  summary: "The configured clients take the list for MCP as it is.",
  why:
    "The protocol sets few rules; each client adds its own, and most break them in silence: a description is cut, a tool is missing, or every request " +
    "fails. `clients` in the configuration names the clients that matter. Their rules have a source and a date each.",
  messages,
  examples: {
    bad: [
      {
        spec: spec`
          name: clear_values_by_filter
          description: Clear values.
          input: { type: object, properties: {} }
        `,
        reports: ["nameLength"],
        plan: { clients: [{ id: "cursor" }], server: "spreadsheets-of-the-whole-organisation" },
      },
      {
        spec: spec`
          name: read_tree
          description: Read a tree.
          input: { type: object, properties: {} }
          output: { type: object, properties: { child: { $ref: "#" } } }
        `,
        reports: ["outputRecursion"],
        plan: { clients: [{ id: "claude-code" }] },
      },
      {
        spec: spec`
          tools:
            - { name: read_note, description: Read a note of somebody., input: { type: object, properties: {} } }
            - { name: search, description: Search., input: { type: object, properties: {} } }
        `,
        reports: ["nameCharacters", "descriptionLength", "tools"],
        plan: { clients: [{ id: DESK.id, foreign: DESK }] },
      },
    ],
    good: [
      {
        spec: spec`
          name: clear_values
          description: Clear values.
          input: { type: object, properties: { ranges: { type: array } } }
        `,
        plan: { clients: [{ id: "cursor" }, { id: "vscode" }], server: "spreadsheets" },
      },
    ],
  },
  checkTool(tool, { plan: { clients = [], server }, report }) {
    const entry = createEntry(tool);
    for (const client of clients.map(resolveClient)) {
      for (const { fact, pointer, ...values } of findClientFaults(entry, client, server)) {
        const location = tool.locate(pointer === "/outputSchema" ? "/output" : pointer);
        if (fact !== "arrayItems") report(fact, { location }, { client: client.title, ...values });
      }
    }
  },
  checkProject({ tools }, { plan: { clients = [], toolsets }, report }) {
    for (const { title, facts } of clients.map(resolveClient)) {
      if (facts.tools === undefined) continue;
      const { most, effect } = facts.tools;
      for (const { tools: members } of listToolsetMembers(tools, toolsets)) {
        const listed = members.filter(({ metadata }) => !metadata.visibility.shouldDefer);
        const beyond = listed[most];
        if (beyond === undefined) continue;
        const at = { tool: beyond, location: beyond.locate("/name"), needsAllSpecs: true as const };
        report("tools", at, { client: title, effect, is: String(listed.length), most: String(most) });
      }
    }
  },
});

/** Creates the parts of a tool's entry that clients judge. Its arrays always have items. */
function createEntry({ name, spec: { description, outputCheck }, output }: FlatTool): JsonObject {
  const isListed = output !== undefined && (outputCheck ?? OUTPUT_CHECK.strict) === OUTPUT_CHECK.strict;
  return { name, description, ...(isListed ? { outputSchema: output.schema as JsonObject } : {}) };
}
