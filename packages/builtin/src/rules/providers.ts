import { findOrAdd } from "@hasp/base/json";
import { OUTPUT_CHECK } from "@hasp/runtime/contract";
import type { SchemaNode } from "@hasp/compiler/plugin";
import { type Dialect, type JsonObject } from "@hasp/schema";
import { fitNames } from "@hasp/schema/internal";
import type { FlatTool } from "@hasp/compiler";
import { type Client, resolveDialect, listToolsetMembers } from "@hasp/compiler/model";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { clientMessages, findClientFaults } from "../clients/find-client-faults.js";
import { claudeCode } from "../clients/tables/anthropic.js";
import { vscode } from "../clients/tables/microsoft.js";
import { cursor } from "../clients/tables/others.js";

export const renamedKey: Rule = defineRule({
  id: "providers/renamed-key",
  severity: "info",
  summary: "Every configured provider accepts the names of the parameters.",
  why:
    "If a provider does not accept a name, hasp sends another one and translates the answer back. Nothing is lost, but the model reads one " +
    "name in the schema and another in every description and example that mentions it.",
  messages: {
    renamed:
      '"{name}" is sent under another name to {dialects}. Use lower-case letters, digits and "_", and begin with a letter.',
  },
  examples: {
    bad: [
      {
        spec: spec`
          name: find
          description: Find.
          input: { type: object, properties: { max-rows: { type: integer }, "§": { type: integer } } }
        `,
        reports: ["renamed", "renamed"],
        plan: {
          dialects: [
            { id: "anthropic", strict: false, onUncarried: "error" },
            { id: "gemini", strict: false, onUncarried: "error" },
          ],
        },
      },
    ],
    good: [
      {
        spec: spec`
          name: find
          description: Find.
          input: { type: object, properties: { max-rows: { type: integer } } }
        `,
        plan: { dialects: [{ id: "anthropic", strict: false, onUncarried: "error" }] },
      },
    ],
  },
  visitTool(tool, { plan, report }) {
    const rules = plan.dialects.flatMap((each) => listKeyRules(resolveDialect(each)));
    if (rules.length === 0) return {};
    return {
      parameter({ property, pointer, parent }) {
        const isRoot = pointer.split("/").length === 3;
        const renaming = rules
          .filter(({ scope }) => isRoot || scope === "everywhere")
          .flatMap(({ id, fit }) => {
            const wire = fit(parent).get(property) ?? property;
            return wire === property ? [] : [`${id} ("${wire}")`];
          });
        if (renaming.length === 0) return;
        report(
          "renamed",
          { location: tool.input.locate(pointer, "key") },
          { name: property, dialects: renaming.join(", ") },
        );
      },
    };
  },
});

interface KeyRule {
  readonly id: string;
  readonly scope: "root" | "everywhere";
  /** Returns the names on the wire of an object's properties. */
  readonly fit: (object: SchemaNode | undefined) => ReadonlyMap<string, string>;
}

function listKeyRules({ id, propertyName: rule }: Dialect): readonly KeyRule[] {
  if (rule === undefined) return [];
  const known = new Map<SchemaNode | undefined, ReadonlyMap<string, string>>();
  const fit: KeyRule["fit"] = (object) =>
    findOrAdd(known, object, () => fitNames(Object.keys(object?.schema.properties ?? {}), rule));
  return [{ id, scope: rule.scope, fit }];
}

const KEYWORD = "x-mcp-header";
/** A valid name of an HTTP header (RFC 9110 §5.1). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
/** Pointers through `properties` only: a client must find the value without choosing a branch. */
const REACHED = /^(?:\/properties\/[^/]+)+$/u;
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

export const mcpHeader: Rule = defineRule({
  id: "providers/mcp-header",
  severity: "error",
  summary: `MCP clients accept every \`${KEYWORD}\`.`,
  why:
    `A property with \`${KEYWORD}: Region\` is also sent as the header \`Mcp-Param-Region\`, by which proxies can route a call. Clients ` +
    "omit a tool from their list if one of these headers breaks the protocol's rules: it must be on a string, an integer or a boolean, have a " +
    "name of its own, and be on a property that does not depend on any condition.",
  messages: {
    name: "{name:json} is not the name of a header: use letters, digits and hyphens.",
    type: `\`${KEYWORD}\` is only for properties of the type string, integer or boolean.`,
    place: `\`${KEYWORD}\` is only for properties of the input and of objects in it, not for items, alternatives or shared definitions.`,
    taken: 'Another property already has the header "{name}"; header names ignore case.',
  },
  examples: {
    bad: [
      reporting("taken", "type", "name", "place")`
        name: find
        description: Find.
        input:
          type: object
          properties:
            region: { type: string, x-mcp-header: Region }
            area: { type: string, x-mcp-header: region }
            price: { type: number, x-mcp-header: Price }
            zone: { type: string, x-mcp-header: "Time zone" }
            tags: { type: array, items: { type: string, x-mcp-header: Tag } }
      `,
    ],
    good: [
      spec`
        name: find
        description: Find.
        input:
          type: object
          properties:
            region: { type: string, x-mcp-header: Region }
            where: { type: object, properties: { shard: { type: integer, x-mcp-header: Shard } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const taken = new Set<string>();
    return {
      input({ schema, pointer }) {
        if (!Object.hasOwn(schema, KEYWORD)) return;
        const name: unknown = Reflect.get(schema, KEYWORD);
        const at = { location: tool.input.locate(`${pointer}/${KEYWORD}`) };
        if (typeof name !== "string" || !HEADER_NAME.test(name)) report("name", at, { name: name as string });
        else if (!REACHED.test(pointer)) report("place", at);
        else if (!TYPES.includes(schema.type)) report("type", at);
        else if (taken.has(name.toLowerCase())) report("taken", at, { name });
        else taken.add(name.toLowerCase());
      },
    };
  },
});

export const inNoToolset: Rule = defineRule({
  id: "providers/in-no-toolset",
  // Some projects list a few tools in a toolset and offer all from the dispatcher.
  severity: "off",
  summary: "If toolsets are configured, every tool is in one of them.",
  why:
    "A tool that no toolset selects is offered to no model. Usually the tool is new and was not added, or a tag " +
    "is misspelt. The tool is still in the registry.",
  messages: {
    unlisted:
      "No toolset selects this tool ({toolsets:quoted}), so it is in no provider's list. Add the tool or one of its tags to a toolset. If only programs call it, suppress this finding.",
  },
  examples: {
    bad: [
      {
        spec: spec`
          name: archive_order
          description: Archive an order.
          tags: [writting]
          input: { type: object, properties: {} }
        `,
        reports: ["unlisted"],
        plan: { toolsets: [{ name: "writers", include: [{ tag: "writing" }], exclude: [] }] },
      },
    ],
    good: [
      {
        spec: spec`
          name: archive_order
          description: Archive an order.
          tags: [writing]
          input: { type: object, properties: {} }
        `,
        plan: { toolsets: [{ name: "writers", include: [{ tag: "writing" }], exclude: [] }] },
      },
      spec`
        name: archive_order
        description: Archive an order. Without configured toolsets one list holds every tool.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { plan: { toolsets }, report }) {
    if (listToolsetMembers([tool], toolsets).some((toolset) => toolset.tools.length > 0)) return;
    report("unlisted", { location: tool.locate("/name") }, { toolsets: toolsets.map(({ name }) => name) });
  },
});

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
    "The protocol sets few rules; each client adds its own, and most say nothing about a list that breaks them: a description is cut, a tool is missing, " +
    "or every request fails. `clients` in the configuration names the clients that matter. Each of their rules has a source and a date.",
  messages: clientMessages,
  examples: {
    bad: [
      {
        spec: spec`
          name: clear_values_by_filter
          description: Clear values.
          input: { type: object, properties: { ranges: { type: array } } }
        `,
        reports: ["nameLength", "arrayItems"],
        plan: {
          clients: [cursor, vscode],
          server: "spreadsheets-of-the-whole-organisation",
          isServed: true,
        },
      },
      {
        spec: spec`
          name: read_tree
          description: Read a tree.
          input: { type: object, properties: {} }
          output: { type: object, properties: { child: { $ref: "#" } } }
        `,
        reports: ["outputRecursion"],
        plan: { clients: [claudeCode] },
      },
      {
        spec: spec`
          tools:
            - { name: read_note, description: Read a note of somebody., input: { type: object, properties: {} } }
            - { name: search, description: Search., input: { type: object, properties: {} } }
        `,
        reports: ["nameCharacters", "descriptionLength", "tools"],
        plan: { clients: [DESK] },
      },
    ],
    good: [
      {
        spec: spec`
          name: clear_values
          description: Clear values.
          input: { type: object, properties: { ranges: { type: array } } }
        `,
        plan: { clients: [cursor, vscode], server: "spreadsheets" },
      },
    ],
  },
  checkTool(tool, { plan: { clients = [], server, isServed = false }, report }) {
    const entry = createEntry(tool, isServed);
    for (const client of clients) {
      for (const { fact, pointer, ...values } of findClientFaults(entry, client, server)) {
        const location = tool.locate(pointer.replace(/^(\/(?:in|out)put)Schema/u, "$1"));
        const data = { client: client.title, effect: values.effect };
        report(fact, { location, data }, { client: client.title, ...values });
      }
    }
  },
  checkProject({ tools }, { plan: { clients = [], toolsets }, report }) {
    for (const { title, facts } of clients) {
      if (facts.tools === undefined) continue;
      const { most, effect } = facts.tools;
      for (const { tools: members } of listToolsetMembers(tools, toolsets)) {
        const listed = members.filter(({ metadata }) => metadata.visibility.load !== "deferred");
        const beyond = listed[most];
        if (beyond === undefined) continue;
        const data = { client: title, effect };
        const at = { tool: beyond, location: beyond.locate("/name"), data, needsAllSpecs: true as const };
        report("tools", at, { client: title, effect, is: String(listed.length), most: String(most) });
      }
    }
  },
});

/** Creates the parts of a tool's entry that clients judge. In hasp's own lists, arrays always say what their items are. */
function createEntry(
  { name, spec: { description, outputCheck }, input, output }: FlatTool,
  isServed: boolean,
): JsonObject {
  const isListed = isServed || (outputCheck ?? OUTPUT_CHECK.strict) === OUTPUT_CHECK.strict;
  return {
    name,
    description,
    ...(isServed && { inputSchema: input.schema as JsonObject }),
    ...(isListed && output !== undefined && { outputSchema: output.schema as JsonObject }),
  };
}
