import { canonicalText, type JsonObject, type JsonValue } from "@hasp/schema";
import { offerRemoval } from "../../../diagnostics/removal.js";
import { own } from "../../../model/own.js";
import { visitSchemas } from "../../../model/schemas/schema-places.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Lists whose items JSON Schema requires to be unique. */
const LISTS = ["required", "type", "enum"] as const;

export const repeatedItem: Rule = defineRule({
  id: "schema/repeated-item",
  severity: "warning",
  summary: "No list in a schema contains an item twice.",
  why:
    "JSON Schema requires distinct items in `required`, `type` and `enum`. Most validators ignore duplicates, some providers reject " +
    "the whole request, and usually a different item was meant.",
  messages: {
    repeated: '"{keyword}" contains {item} twice. Remove one of them.',
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
            required: [id, id]
            properties: { id: { type: string, enum: [a, b, a] } }
        `,
        reports: ["repeated", "repeated"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: find
        description: Find.
        input:
          type: object
          required: [id]
          properties: { id: { type: [string, "null"], enum: [a, "1", 1] } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    for (const part of ["input", "output"] as const) {
      const schema = tool.spec[part] as JsonValue | undefined;
      if (schema === undefined) continue;
      for (const { pointer, ...parameters } of repeatedIn(schema)) {
        const location = tool.locate(`/${part}${pointer}`);
        report("repeated", { location, ...offerRemoval(location, `${tool.pointer}/${part}${pointer}`) }, parameters);
      }
    }
  },
  checkProject({ documents }, { report }) {
    for (const document of documents.filter(({ role }) => role === "shared")) {
      for (const { pointer, ...parameters } of repeatedIn(document.value)) {
        const location = document.locate(pointer);
        report("repeated", { location, ...offerRemoval(location, pointer) }, parameters);
      }
    }
  },
});

interface RepeatedItem {
  readonly pointer: string;
  readonly keyword: string;
  readonly item: string;
}

function repeatedIn(root: JsonValue): readonly RepeatedItem[] {
  const found: RepeatedItem[] = [];
  visitSchemas(root, "", (schema, pointer) => {
    for (const keyword of LISTS) found.push(...repeatedItems(schema, keyword, pointer));
  });
  return found;
}

function repeatedItems(schema: JsonObject, keyword: (typeof LISTS)[number], pointer: string): readonly RepeatedItem[] {
  const list: unknown = own(schema, keyword);
  if (!Array.isArray(list) || list.length < 2) return [];
  const seen = new Set<string>();
  return (list as readonly JsonValue[]).flatMap((value, index) => {
    const item = canonicalText(value);
    if (!seen.has(item)) {
      seen.add(item);
      return [];
    }
    return [{ pointer: `${pointer}/${keyword}/${index}`, keyword, item }];
  });
}
