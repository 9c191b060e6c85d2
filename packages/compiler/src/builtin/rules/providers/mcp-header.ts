import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

const KEYWORD = "x-mcp-header";
/** A valid name of an HTTP header (RFC 9110 §5.1). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
/** Properties of properties only: a client must find the value without choosing a branch. */
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
      {
        spec: yaml`
          hasp: 1
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
        reports: ["taken", "type", "name", "place"],
      },
    ],
    good: [
      yaml`
        hasp: 1
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
