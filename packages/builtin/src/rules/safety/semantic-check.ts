import type { SchemaObject } from "@hasp/schema";
import { declarationOf } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";
import { defineRule, type Rule, reporting, spec } from "@hasp/compiler/plugin";
import { findFreeText, listProgramFields } from "../reading/program-fields.js";
import { splitName } from "../reading/program-words.js";

const UNCHECKED =
  '"{field}" may be any text, and nothing checks it before the call. Say which are right, with validate: [{ that: "…", message: … }] or [{ custom: … }].';

export const noSemanticCheck: Rule = defineRule({
  id: "safety/no-semantic-check",
  severity: "warning",
  summary: "A tool that writes where a model says, or runs what a model writes, checks its input with `validate`.",
  why:
    "A schema says that a path is text. It does not say that the path exists, is inside the workspace and points at nothing " +
    "critical: `/` is as valid as any. `validate` checks that before anybody is asked, and the model reads what to correct. " +
    "A `pattern` that the text must match counts as a check, and so does a declared HTTP, SQL or MCP handler, which puts each input in its place.",
  messages: {
    unchecked: UNCHECKED,
  },
  examples: {
    bad: [
      reporting("unchecked")`
        name: delete_file
        description: Delete a file.
        input: { type: object, required: [path], properties: { path: { type: string } } }
      `,
      reporting("unchecked")`
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
      `,
      reporting("unchecked")`
        name: move_files
        description: Move files.
        input: { type: object, properties: { sourceFiles: { type: array, items: { type: string } } } }
      `,
    ],
    good: [
      spec`
        name: delete_file
        description: Delete a file.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        validate:
          - { that: "!input.path.endsWith('/')", message: name a file and not a folder }
          - custom: insideWorkspace
      `,
      spec`
        name: delete_report
        description: Delete a report.
        input: { type: object, required: [path], properties: { path: { type: string, pattern: "^reports/[a-z]+$" } } }
      `,
      spec`
        name: add_note
        description: Add a note.
        input: { type: object, required: [text, fileName], properties: { text: { type: string }, fileName: { type: string } } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (tool.worstCase.class === "READ_ONLY") return;
    const field = findUncheckedField(tool);
    if (field !== undefined) report("unchecked", { location: field.location }, { field: field.name });
  },
});

export const uncheckedReader: Rule = defineRule({
  id: "safety/unchecked-reader",
  severity: "info",
  summary: "A tool that reads where a model says checks its input with `validate`.",
  why:
    "Reading outside the workspace, or from an address inside the network, does harm too. `validate` refuses such an input " +
    "before the call, with a message that the model can act on. A tool that writes has a warning (`safety/no-semantic-check`).",
  messages: {
    unchecked: UNCHECKED,
  },
  examples: {
    bad: [
      reporting("unchecked")`
        name: fetch_page
        description: Fetch a page.
        input: { type: object, required: [url], properties: { url: { type: string, format: uri } } }
        concurrency: { class: READ_ONLY }
      `,
    ],
    good: [
      spec`
        name: fetch_page
        description: Fetch a page.
        input: { type: object, required: [url], properties: { url: { type: string, format: uri } } }
        concurrency: { class: READ_ONLY }
        validate: [{ that: "input.url.lower().startsWith('https://')", message: the address must begin with https:// }]
      `,
      {
        spec: spec`
          name: get_object
          description: Get an object.
          input: { type: object, required: [path], properties: { path: { type: string } } }
          handler: { http: { connection: objects, method: GET, path: "/{path}" } }
          concurrency: { class: READ_ONLY }
        `,
        plan: { connections: { objects: { http: { baseUrl: "https://objects.example.com" } } } },
      },
    ],
  },
  checkTool(tool, { report }) {
    if (tool.worstCase.class !== "READ_ONLY") return;
    const field = findUncheckedField(tool);
    if (field !== undefined) report("unchecked", { location: field.location }, { field: field.name });
  },
});

/** Words that end the name of a path or an address. */
const PLACES = new Set(
  "path filepath file filename dir directory folder cwd url uri href paths files dirs directories folders urls uris".split(
    " ",
  ),
);

interface UncheckedField {
  readonly name: string;
  readonly location: ReturnType<FlatTool["locate"]>;
}

/** Finds the first path, address or program of an input that nothing checks. */
function findUncheckedField(tool: FlatTool): UncheckedField | undefined {
  const isPlaced = declarationOf(tool.spec) !== undefined && !tool.startsProgram;
  if (isPlaced || (tool.spec.validate ?? []).length > 0) return undefined;
  const place = tool.input.nodes.find(
    ({ property = "", schema, pointer }) =>
      mayBeAnyText(schema) && PLACES.has(splitName(property).at(-1) ?? "") && !pointer.includes("/$defs/"),
  );
  const [found] =
    place === undefined ? listProgramFields(tool, "likely") : [{ name: place.property ?? "", pointer: place.pointer }];
  return found && { name: found.name, location: tool.input.locate(found.pointer, "key") };
}

/** True if a schema says that its value, or each of its items, is text, but not which text. */
function mayBeAnyText(schema: SchemaObject): boolean {
  const text = findFreeText(schema);
  return text?.type !== undefined && text.pattern === undefined;
}
