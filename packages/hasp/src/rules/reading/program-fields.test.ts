import { describe, expect, test } from "vitest";
import { flatTools, specSource } from "../check-specs.testing.js";
import { programFieldsOf } from "./program-fields.js";

/** The fields of a tool with these properties that count as programs. */
function found(properties: object, certainty: "named" | "likely", description = "A tool."): readonly string[] {
  const { tools } = flatTools([
    specSource(JSON.stringify({ hasp: 1, name: "tool", description, input: { type: "object", properties } })),
  ]);
  return tools.flatMap((tool) => programFieldsOf(tool, certainty).map(({ instance }) => instance));
}

const text = (names: string): object => Object.fromEntries(names.split(" ").map((name) => [name, { type: "string" }]));

describe("a name that says program", () => {
  test.each([
    "sql",
    "x_sql",
    "rawSQL",
    "sqlQuery",
    "sqlText",
    "command_line",
    "scriptBody",
    "python-code",
    "query_string",
    "expr",
    "run_cmd",
    "codeSnippet",
    "source_code",
  ])("%s", (name) => {
    expect(found(text(name), "named")).toEqual([`/${name}`]);
  });

  test.each([
    "zip_code",
    "countryCode",
    "error-code",
    "promo_code",
    "script_path",
    "queryId",
    "sql_file",
    "codeLanguage",
    "shellType",
    "text",
    "body",
    "decode",
    "subcommander",
  ])("not %s", (name) => {
    expect(found(text(name), "named")).toEqual([]);
  });

  test("wherever it stands, unless its values are written out", () => {
    const properties = {
      steps: { type: "array", items: { type: "object", properties: { command: { type: "string" } } } },
      commands: { type: "array", items: { type: "string" } },
      command: { enum: ["start", "stop"] },
      code: { type: "integer" },
    };
    expect(found(properties, "named")).toEqual(["/steps/*/command", "/commands"]);
  });
});

describe("a description that says program", () => {
  test.each([
    "The SQL statement.",
    "JavaScript function to call in the page.",
    "(element) => { /* code */ }",
    "A shell command.",
    "Script to be executed.",
  ])("%s", (description) => {
    expect(found({ what: { type: "string", description } }, "likely")).toEqual(["/what"]);
  });

  test.each([
    "The name of the tool used for code scanning.",
    "Words to search for.",
    "The 6-character hex code of the colour.",
  ])("not: %s", (description) => {
    expect(found({ what: { type: "string", description } }, "named")).toEqual([]);
  });

  test("but not of a place or a language", () => {
    const description = "Where the Python script to run is.";
    expect(
      found({ file: { type: "string", description }, scriptPath: { type: "string", description } }, "named"),
    ).toEqual([]);
  });
});

describe("a likely program", () => {
  test("words to search for are none, statements in a query language are", () => {
    expect(found(text("query"), "likely", "Search documents.")).toEqual([]);
    expect(found(text("query"), "likely", "Search the SQL database.")).toEqual(["/query"]);
    expect(found(text("query"), "likely", "Ask the warehouse.")).toEqual(["/query"]);
    expect(found(text("statement"), "likely", "Ask.")).toEqual([]);
  });

  test("a code may be a mark out of a list", () => {
    expect(found({ code: { type: "string", description: "ISO 4217 code." } }, "likely")).toEqual([]);
    expect(found({ code: { type: "string", description: "What to run." } }, "likely")).toEqual(["/code"]);
    expect(found({ code: { type: "string", description: "ISO 4217 code." } }, "named")).toEqual(["/code"]);
  });

  test("a media type settles it either way", () => {
    expect(
      found(
        {
          body: { type: "string", contentMediaType: "application/sql" },
          sql: { type: "string", contentMediaType: "text/plain" },
        },
        "likely",
      ),
    ).toEqual(["/body"]);
  });
});
