import type { JsonValue } from "@hasp/schema";
import type { Found } from "@hasp/base/diagnostics";
import { toObject, isList, isObject } from "@hasp/base/json";
import type { ImportedSource, Importer, ImportSource } from "./source/importer.js";
import { readString } from "./source/json-values.js";
import { translateInput, type EntryReader, type SourceEntry } from "./entries/source-entry.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, findList, listMembers } from "./entries/tool-list.js";
import { sortKeywords } from "./translation/schema-words.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

/**
 * Reads exported schemas: Zod's, or any that follow Standard JSON Schema. The module owns the input, so its changes are
 * drift; `origin` records the export.
 */
export const importZod: Importer = { reads: "module", read: readModule };

function readModule(source: ImportSource): Found<ImportedSource> {
  const { value } = source.document;
  const module = isObject(value) ? (readString(value["module"]) ?? source.name) : source.name;
  return importToolList(source, {
    kind: "zod",
    dialect: JSON_SCHEMA,
    shapes: 'a module that exports schemas, or objects with a schema under "inputSchema"',
    list(document) {
      const found = findList(document, ["tools"]);
      return found && listMembers(found);
    },
    read: (entry, reader) => readExport(entry, reader, module),
  });
}

function readExport({ value }: SourceEntry, reader: EntryReader, module: string): SourceTool | undefined {
  if (!isObject(value)) return undefined;
  const { name, note, locate, translate } = reader;
  const { input, output } = value;
  const problem = problemOf(input);
  if (problem !== undefined || !isObject(input)) {
    note("unexportable", locate("/input"), { tool: name, problem: problem ?? "it has no schema" });
    return undefined;
  }
  const also = readTexts(value["alsoExported"]);
  if (also.length > 0) note("one-tool", locate(""), { tool: name, export: String(value["export"]), exports: also });
  const refinements = readTexts(input["refinements"]);
  if (refinements.length > 0) {
    note("refinements", locate("/input"), {
      tool: name,
      places: refinements.map((place) => (place === "" ? "of the whole" : place)),
    });
  }
  const changes = readTexts(input["changes"]);
  if (changes.length > 0) note("transforms", locate("/input"), { tool: name, places: changes });
  const lost = readTexts(value["functions"]).filter((each) => each !== "execute");
  if (lost.length > 0) note("functions-left-out", locate(""), { tool: name, functions: lost });
  const leftOut = readTexts(input["leftOut"]);
  if (leftOut.length > 0) note("property-left-out", locate("/input"), { tool: name, places: leftOut });
  const translated = translateInput(input["schema"] ?? true, "/input/schema", reader);
  if (translated === undefined) return undefined;
  const outputProblem = problemOf(output);
  if (outputProblem !== undefined) {
    note("unexportable-output", locate("/output"), { tool: name, problem: outputProblem });
  }
  // A schema's metadata applies to the tool unless the module states its own.
  const { description: about, ...schema } = toObject(translated);
  const description = readString(value["description"]) ?? readString(about);
  const says = about === undefined || about === description ? {} : { description: about };
  return {
    name: String(value["export"]),
    title: value["title"],
    description,
    input: isObject(translated) ? sortKeywords(Object.entries({ ...schema, ...says })) : translated,
    output:
      isObject(output) && outputProblem === undefined
        ? translate(output["schema"] ?? true, { role: "output", pointer: "/output/schema" })
        : undefined,
    rest: refinements.length === 0 ? undefined : { refinements },
    facts: { module, export: value["export"] ?? "" },
  };
}

function readTexts(value: JsonValue | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === "string") : [];
}

function problemOf(schema: JsonValue | undefined): string | undefined {
  return isObject(schema) ? readString(schema["problem"]) : undefined;
}
