import { describe, expect, test } from "vitest";
import { flatTools, specSource } from "../../../../../test/compiler/flat-tools.testing.js";
import { listProgramFields, createProgramFinder } from "./program-fields.js";

function found(properties: object, certainty: "named" | "likely", description = "A tool."): readonly string[] {
  const { tools } = flatTools([
    specSource(JSON.stringify({ hasp: 1, name: "tool", description, input: { type: "object", properties } })),
  ]);
  return tools.flatMap((tool) => listProgramFields(tool, certainty).map(({ instance }) => instance));
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
    // Plural, numbered, counted, joined, or with a purpose.
    "queries",
    "command2",
    "command_2",
    "sql1Text",
    "commandA",
    "scriptOne",
    "first_command",
    "commandToRun",
    "queryForUser",
    "codes",
    "SQLQuery",
    "MySQLQuery2",
    "sqlquery",
    "rawsql",
    "shellcommand",
    "commandline",
    "querystring",
    "runcmd",
    "bashScripts",
    "statement_3_text",
  ])("recognises the name %s", (name) => {
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
    "zipCodes",
    "error_code_2",
    "scriptPaths",
    "queryIds",
    "script_file2",
    "manuscript",
    "transcript",
    "postscript",
    "description2",
    "barcode",
    "seashells",
    "x",
    "a2",
  ])("does not take for a program: %s", (name) => {
    expect(found(text(name), "named")).toEqual([]);
  });

  test("recognises a program's name at any depth unless its values are enumerated", () => {
    const properties = {
      steps: { type: "array", items: { type: "object", properties: { command: { type: "string" } } } },
      commands: { type: "array", items: { type: "string" } },
      command: { enum: ["start", "stop"] },
      code: { type: "integer" },
    };
    expect(found(properties, "named")).toEqual(["/steps/*/command", "/commands", "/commands/*"]);
  });

  const string = { type: "string" };
  const patterns = { type: "object", patternProperties: { "^command": string, "^x-": string } };
  test.each<[string, object, readonly string[]]>([
    ["a map", { scripts: { type: "object", additionalProperties: string } }, ["/scripts/*"]],
    ["a map by pattern", { scripts: { type: "object", patternProperties: { "^s": string } } }, ["/scripts/*"]],
    ["names by pattern", { given: patterns }, ["/given/*"]],
    [
      "a map of lists",
      { commandsByOs: { type: "object", additionalProperties: { type: "array", items: string } } },
      ["/commandsByOs/*", "/commandsByOs/*/*"],
    ],
    [
      "a list of lists",
      { commands: { type: "array", items: { type: "array", items: string } } },
      ["/commands", "/commands/*", "/commands/*/*"],
    ],
    ["a tuple", { commands: { type: "array", prefixItems: [string, { enum: ["x"] }] } }, ["/commands", "/commands/*"]],
    [
      "a union",
      { command2: { anyOf: [string, { type: "array", items: string }] } },
      ["/command2", "/command2", "/command2", "/command2/*"],
    ],
    [
      "parts of a whole",
      { script: { type: "object", properties: { body: string, lang: string, timeout: string } } },
      ["/script/body"],
    ],
    [
      "an object of scripts",
      { scripts: { type: "object", properties: { build: string, test: string, folder: string } } },
      ["/scripts/build", "/scripts/test"],
    ],
    [
      "parts in a map",
      { scripts: { type: "object", additionalProperties: { type: "object", properties: { run: string } } } },
      ["/scripts/*/run"],
    ],
  ])("finds a program in %s", (_, properties, instances) => {
    expect(found(properties, "named")).toEqual(instances);
  });

  test("finds programs at any depth of a recursive schema", () => {
    const step = { type: "object", properties: { command: string, next: { $ref: "#/$defs/Step" } } };
    const spec = {
      hasp: 1,
      name: "tool",
      description: "A tool.",
      input: { type: "object", properties: { step: { $ref: "#/$defs/Step" } }, $defs: { Step: step } },
    };
    const [tool] = flatTools([specSource(JSON.stringify(spec))]).tools;
    if (tool === undefined) return expect.fail("the spec is one");
    const nameAt = createProgramFinder(listProgramFields(tool, "named"));
    expect(["/step/command", "/step/next/command", "/step/next/next/command"].map(nameAt)).toEqual([
      "command",
      "command",
      "command",
    ]);
    expect(["/step", "/step/next"].map(nameAt)).toEqual([undefined, undefined]);
  });

  test("finds programs under any key of a map", () => {
    const properties = { scripts: { type: "object", additionalProperties: string } };
    const [tool] = flatTools([
      specSource(JSON.stringify({ hasp: 1, name: "tool", description: "A.", input: { type: "object", properties } })),
    ]).tools;
    if (tool === undefined) return expect.fail("the spec is one");
    const nameAt = createProgramFinder(listProgramFields(tool, "named"));
    expect(["/scripts/build", "/scripts/a~1b"].map(nameAt)).toEqual(["scripts", "scripts"]);
    expect(["/scripts", "/scripts/a/b", "/other"].map(nameAt)).toEqual([undefined, undefined, undefined]);
  });
});

describe("a description that says program", () => {
  test.each([
    "The SQL statement.",
    "JavaScript function to call in the page.",
    "(element) => { /* code */ }",
    "A shell command.",
    "Script to be executed.",
    "Shell line for bash.",
    "A line for bash.",
    "Text that is passed to the shell.",
    "Executed in PowerShell.",
    "One-liner in Python.",
    "What is evaluated by the jq interpreter; code in jq.",
    "Bash one-liner.",
    "A command line to run; a command-line invocation.",
  ])("recognises the description %s", (description) => {
    expect(found({ what: { type: "string", description } }, "likely")).toEqual(["/what"]);
  });

  test.each([
    "The name of the tool used for code scanning.",
    "Words to search for.",
    "The 6-character hex code of the colour.",
    "The line of the bill.",
    "Text of the note.",
    "Passed to the reviewer.",
    "A shell for the egg.",
  ])("does not take for a program: %s", (description) => {
    expect(found({ what: { type: "string", description } }, "named")).toEqual([]);
  });

  test("ignores descriptions of a place or a language", () => {
    const description = "Where the Python script to run is.";
    expect(
      found({ file: { type: "string", description }, scriptPath: { type: "string", description } }, "named"),
    ).toEqual([]);
  });
});

describe("a likely program", () => {
  test("tells search words from statements in a query language", () => {
    expect(found(text("query"), "likely", "Search documents.")).toEqual([]);
    expect(found(text("query"), "likely", "Search the SQL database.")).toEqual(["/query"]);
    expect(found(text("query"), "likely", "Ask the warehouse.")).toEqual(["/query"]);
    expect(found(text("statement"), "likely", "Ask.")).toEqual([]);
  });

  test("takes a code for an identifier where its name says so", () => {
    expect(found({ code: { type: "string", description: "ISO 4217 code." } }, "likely")).toEqual([]);
    expect(found({ code: { type: "string", description: "What to run." } }, "likely")).toEqual(["/code"]);
    expect(found({ code: { type: "string", description: "ISO 4217 code." } }, "named")).toEqual(["/code"]);
  });

  test.each<[string, string, readonly string[]]>([
    ["body", "application/sql", ["/body"]],
    ["body", "application/sql; charset=utf-8", ["/body"]],
    ["body", "text/x-shellscript", ["/body"]],
    ["body", "application/x-sh", ["/body"]],
    ["body", "text/x-python", ["/body"]],
    ["body", "application/vnd.neo4j.cypher", ["/body"]],
    ["body", "application/sparql-update", ["/body"]],
    ["sql", "text/plain", []],
    ["sql", "text/plain; charset=utf-8", []],
    ["sql", "application/json", []],
    ["sql", "application/ld+json", []],
    ["sql", "image/png", []],
    // An inconclusive media type leaves it to the name.
    ["sql", "application/octet-stream", ["/sql"]],
    ["sql", "text/x-unheard-of", ["/sql"]],
    ["body", "text/x-unheard-of", []],
  ])("lets a media type decide: %s as %s", (name, contentMediaType, instances) => {
    expect(found({ [name]: { type: "string", contentMediaType } }, "likely")).toEqual(instances);
  });

  test("lets the items' media type decide for their list", () => {
    const items = { type: "string", contentMediaType: "text/plain" };
    expect(found({ commands: { type: "array", items } }, "named")).toEqual([]);
    expect(found({ scripts: { type: "object", additionalProperties: items } }, "named")).toEqual([]);
  });
});
