import { defineDiagnostics, type DiagnosticFactory, type MakeDiagnostic } from "../diagnostics/define-diagnostics.js";
import { excerpt } from "../diagnostics/excerpt.js";

const definitions = {
  "no-list": {
    severity: "error",
    message: (p: { shapes: string }): string => `No list of tools is here. It must be ${p.shapes}.`,
  },
  "no-tools": {
    severity: "error",
    message: (): string => "The list of tools is empty.",
  },
  "not-a-tool": {
    severity: "error",
    message: (): string => "This entry is not a tool: it is no object with a name.",
  },
  "too-large": {
    severity: "error",
    message: (p: { tool: string; megabytes: number }): string =>
      `"${p.tool}" has ${p.megabytes} MB to say, which no model reads; it is not imported.`,
  },
  "unread-tool": {
    severity: "error",
    message: (p: { tool: string; reason: string }): string =>
      `"${p.tool}" cannot be read: ${p.reason.replace(/\.$/u, "")}. It is not imported.`,
  },
  unexportable: {
    severity: "error",
    message: (p: { tool: string; problem: string }): string =>
      `The schema of "${p.tool}" cannot be exported: ${p.problem.replace(/\.$/u, "")}. It is not imported.`,
    help: (): string =>
      "JSON knows text, numbers, booleans, null, lists and objects; take a date as text with z.iso.datetime(), for example.",
  },
  "unexportable-output": {
    severity: "warning",
    message: (p: { tool: string; problem: string }): string =>
      `What "${p.tool}" returns cannot be exported: ${p.problem.replace(/\.$/u, "")}. The spec has no "output".`,
  },
  refinements: {
    severity: "warning",
    message: (p: { tool: string; places: readonly string[] }): string =>
      `"${p.tool}" has checks that are functions (${p.places.map((place) => (place === "" ? "of the whole" : place)).join(", ")}), which no schema can say; the spec does not have them.`,
    help: (): string =>
      'Say them under "validate", or let the handler parse the input again with the module\'s own schema.',
  },
  "provider-tool": {
    severity: "warning",
    message: (p: { name: string }): string => `"${p.name}" is run by the provider; there is nothing to import.`,
  },
  "free-text-tool": {
    severity: "error",
    message: (p: { tool: string }): string => `"${p.tool}" takes free text and no JSON; it is not imported.`,
  },
  "strict-nullable": {
    severity: "info",
    message: (p: { names: readonly string[] }): string =>
      `${p.names.map((name) => `"${name}"`).join(", ")}: required and nullable, which is how strict mode writes what is optional. The spec says the same; where null means absent to your handler, take both away.`,
  },
  "name-twice": {
    severity: "error",
    message: (p: { name: string }): string =>
      `"${p.name}" stands in the list twice; only the first one is imported. Rename one of them at the source.`,
  },
  renamed: {
    severity: "warning",
    message: (p: { from: string; to: string }): string =>
      `"${p.from}" is no valid tool name; the spec is called "${p.to}" and keeps the source's name under "origin".`,
  },
  "no-schema": {
    severity: "error",
    message: (p: { tool: string; keyword: string }): string =>
      `"${p.tool}" has no "${p.keyword}", so nobody knows what it takes; it is not imported.`,
    help: (): string => 'A tool without arguments says { "type": "object", "properties": {} }.',
  },
  "not-a-schema": {
    severity: "error",
    message: (p: { tool: string }): string =>
      `A schema must stand here (an object, true or false); "${p.tool}" is not imported.`,
  },
  "reference-for-map": {
    severity: "error",
    message: (p: { tool: string; keyword: string }): string =>
      `"${p.keyword}" is a map from names to schemas, and a "$ref" stands for one schema; "${p.tool}" is not imported.`,
    help: (): string => 'Some bundlers paste text here. In JSON Schema, say it with "allOf": [{ "$ref": … }].',
  },
  "too-deep": {
    severity: "error",
    message: (p: { tool: string; levels: number }): string =>
      `The schema is nested more than ${p.levels} levels deep; "${p.tool}" is not imported.`,
  },
  "unknown-type": {
    severity: "error",
    message: (p: { tool: string; word: string }): string =>
      `"type" says ${p.word}, which is no type of JSON Schema and has no certain translation; "${p.tool}" is not imported.`,
    help: (): string => "The types are array, boolean, integer, null, number, object and string.",
  },
  "unknown-draft": {
    severity: "error",
    message: (p: { tool: string; draft: string; word: string }): string =>
      `"$schema" is ${p.draft}, whose "${p.word}" hasp cannot translate exactly; "${p.tool}" is not imported.`,
    help: (): string => "Have the source write draft 2020-12 or draft-07.",
  },
  "mixed-drafts": {
    severity: "error",
    message: (p: { tool: string; older: string; newer: string }): string =>
      `The schema has no "$schema" and uses both "${p.older}" of draft-07 and "${p.newer}" of 2020-12, so nobody knows what it means; "${p.tool}" is not imported.`,
    help: (): string => `Have the source say "$schema".`,
  },
  "not-writable-as-yaml": {
    severity: "error",
    message: (p: { tool: string }): string =>
      `"${p.tool}" holds text that no spec can say and read back unchanged; it is not imported.`,
    help: (): string => "Look for halves of surrogate pairs and for control characters in its names and descriptions.",
  },
  "broken-reference": {
    severity: "error",
    message: (p: { tool: string; reference: string; problem: string }): string =>
      `"${p.reference}" cannot be followed: ${p.problem}. "${p.tool}" is not imported.`,
  },
  "needs-missing": {
    severity: "error",
    message: (p: { tool: string; definition: string }): string =>
      `"${p.tool}" needs "${p.definition}", which was not imported; so neither is it.`,
    help: (): string => "What is wrong with the definition stands at its own place.",
  },
  "output-missing": {
    severity: "warning",
    message: (p: { tool: string; definition: string }): string =>
      `What "${p.tool}" returns needs "${p.definition}", which was not imported; the spec has no "output".`,
  },
  "older-definition": {
    severity: "error",
    message: (p: { definition: string }): string =>
      `"${p.definition}" is written in draft-07 and shared between tools; it is not imported, since a shared file speaks 2020-12.`,
    help: (): string =>
      'Have the source write draft 2020-12: "prefixItems" for lists of "items", "dependentRequired" for "dependencies".',
  },
  "input-not-object": {
    severity: "error",
    message: (p: { tool: string }): string =>
      `The input takes no object, and the arguments of a call are always one; "${p.tool}" is not imported.`,
  },
  "root-object": {
    severity: "info",
    message: (): string =>
      `The input has no "type: object"; the spec says it, since the arguments of a call are always an object.`,
  },
  "hidden-properties": {
    severity: "info",
    message: (p: { count: number; role: "input" | "output" }): string =>
      `${p.count === 1 ? "One property is" : `${p.count} properties are`} ${p.role === "input" ? "read-only and not asked for" : "write-only and not promised"}.`,
  },
  "nullable-enum": {
    severity: "warning",
    message: (): string =>
      `"nullable: true" does not reach into an "enum" that does not list null; the spec takes no null here, as the source says.`,
  },
  "beside-reference": {
    severity: "warning",
    message: (p: { keyword: string; kept: string }): string =>
      `"${p.keyword}" stands beside a "$ref", where OpenAPI 3.0 ignores it; the spec keeps it as "${p.kept}", which checks nothing.`,
  },
  "openapi-version": {
    severity: "error",
    message: (p: { version: string }): string =>
      p.version === ""
        ? `This is no OpenAPI document: nothing says "openapi".`
        : `This is ${p.version}; hasp reads OpenAPI 3.0, 3.1 and 3.2.`,
    help: (p: { version: string }): string | undefined =>
      p.version.startsWith("Swagger") ? "Convert it first, for instance with swagger2openapi." : undefined,
  },
  "openapi-dialect": {
    severity: "error",
    message: (): string =>
      `"jsonSchemaDialect" names a dialect that hasp does not know, so nobody knows what the schemas mean.`,
    help: (): string => "Schemas in 2020-12, which is what OpenAPI means by itself, are read.",
  },
  "no-operations": {
    severity: "error",
    message: (): string => `The document has no operation under "paths".`,
  },
  "broken-path": {
    severity: "error",
    message: (p: { path: string; problem: string }): string =>
      `The operations of "${p.path}" are not imported: ${p.problem}.`,
  },
  "operation-id-twice": {
    severity: "warning",
    message: (p: { id: string; name: string }): string =>
      `"operationId: ${p.id}" stands twice; this one becomes "${p.name}", after its method and path.`,
  },
  "broken-parameter": {
    severity: "error",
    message: (p: { tool: string; problem: string }): string =>
      `This is no parameter that can be imported: ${p.problem}. "${p.tool}" is not imported.`,
  },
  "path-parameter-unknown": {
    severity: "error",
    message: (p: { tool: string; path: string; name: string }): string =>
      `"${p.path}" has {${p.name}}, and no parameter "in: path" says what that is; "${p.tool}" is not imported.`,
  },
  "broken-body": {
    severity: "error",
    message: (p: { tool: string; problem: string }): string =>
      `The request body cannot be imported: ${p.problem}. "${p.tool}" is not imported.`,
  },
  "credential-left-out": {
    severity: "info",
    message: (p: { name: string }): string =>
      `"${p.name}" carries credentials: the handler sends it, and no model is asked for it.`,
  },
  drift: {
    severity: "error",
    message: (p: { tool: string; changed: readonly string[]; isEdited: boolean }): string =>
      `The source of "${p.tool}" has changed since it was imported: ${p.changed.join(", ") || "its digest"}.` +
      (p.isEdited ? " You have edited what came from it, too." : ""),
    help: (p: { tool: string; changed: readonly string[]; isEdited: boolean }): string =>
      p.isEdited
        ? 'Read both. "--update --force" takes what the source says and keeps your other keys; or bring the change over by hand and take its digest.'
        : 'Read the change as you would read code: it is what a model will be told. Then run again with "--update"; your own keys stay.',
  },
  "definition-drift": {
    severity: "error",
    message: (p: { path: string; changed: readonly string[]; isEdited: boolean }): string =>
      `The source of "${p.path}" has changed since it was imported: ${p.changed.join(", ")}.` +
      (p.isEdited ? " You have edited what came from it, too." : ""),
    help: (p: { path: string; changed: readonly string[]; isEdited: boolean }): string =>
      p.isEdited
        ? 'Read both. "--update --force" takes what the source says of these definitions; the others stay as you have them.'
        : 'Every tool that refers to them changes with them. Read the change, then run again with "--update".',
  },
  gone: {
    severity: "error",
    message: (p: { tool: string; path: string }): string =>
      `The source does not list "${p.tool}" any longer, and "${p.path}" is still there.`,
    help: (): string => 'Delete the spec, or take its "origin" away if the tool is yours from now on.',
  },
  "approved-before": {
    severity: "error",
    message: (p: { tool: string; changed: readonly string[]; claims: readonly string[] }): string =>
      `What the source says of "${p.tool}" has changed (${p.changed.join(", ")}) and was taken over; before that, the ledger approved: ` +
      `${p.claims.map((claim) => `"${excerpt(claim)}"`).join(", ")}.`,
    help: (): string =>
      "Look at these claims again. What is still true stays approved; take the others out of the spec and run: hasp approve --prune",
  },
  "not-imported": {
    severity: "error",
    message: (p: { tool: string }): string => `The source lists "${p.tool}", and there is no spec of it.`,
    help: (): string => "Run the import without --check to write one.",
  },
  "no-description": {
    severity: "warning",
    message: (p: { tool: string }): string =>
      `"${p.tool}" has no description; the spec is written with an empty one, and "hasp check" refuses it until you say what the tool does, when to use it and when not.`,
  },
  "type-word": {
    severity: "info",
    message: (p: { word: string; type: string }): string =>
      p.type === ""
        ? `The type word "${p.word}" means any value; the spec says that by having no "type".`
        : `The type word "${p.word}" is written as "${p.type}", JSON Schema's word for it.`,
  },
  nullable: {
    severity: "info",
    message: (): string => `"nullable: true" is written as a type list with "null", which means the same.`,
  },
  example: {
    severity: "info",
    message: (): string => `"example" is written as "examples", JSON Schema's word for it.`,
  },
  "boolean-bound": {
    severity: "info",
    message: (p: { keyword: string }): string =>
      `"${p.keyword}: true" is draft-04; it is written as a number, which means the same.`,
  },
  "unused-definitions": {
    severity: "info",
    message: (p: { count: number }): string =>
      `${p.count === 1 ? "One definition here is" : `${p.count} definitions here are`} not used by this tool and left out.`,
  },
  draft: {
    severity: "info",
    message: (p: { from: string; to: string }): string =>
      `The schema is ${p.from}; the spec says ${p.to}, which means the same here.`,
  },
  "older-words": {
    severity: "info",
    message: (p: { word: string }): string =>
      `"${p.word}" as it stands here is a word of draft-07; the spec says so with "$schema".`,
  },
  "keyword-kept": {
    severity: "warning",
    message: (p: { keyword: string; kept: string }): string =>
      `"${p.keyword}" means nothing in JSON Schema here; the spec keeps it as "${p.kept}", which checks nothing.`,
  },
  "invalid-value": {
    severity: "warning",
    message: (p: { keyword: "default" | "examples" }): string =>
      p.keyword === "default"
        ? 'This default does not fit its own schema, so it is no default; the spec keeps it as "x-imported-default", which fills nothing.'
        : 'What does not fit the schema itself is no example of it; the spec keeps it as "x-imported-examples", which nobody reads.',
  },
  "needless-escapes": {
    severity: "info",
    message: (): string =>
      "The pattern has backslashes that mean nothing; the spec leaves them out, since patterns are read with the u flag.",
  },
  "bare-object": {
    severity: "warning",
    message: (): string => 'Nothing says what this object may hold; "hasp check" will ask.',
    help: (): string =>
      'Decide in the spec: list its "properties", give its values a type with "additionalProperties: { type: … }", or, if anything may stand there, say "additionalProperties: true" and have it approved.',
  },
  "open-object": {
    severity: "warning",
    message: (): string =>
      'The source takes any property here, and the spec repeats that; "hasp check" refuses it until it is closed or approved.',
  },
  "unknown-hint": {
    severity: "warning",
    message: (p: { name: string }): string =>
      `The annotation "${p.name}" is not known to hasp or not a boolean; it is left out.`,
  },
} as const;

/**
 * What an importer finds in a source. An error means that the tool (or, without one, the whole source) is not imported.
 */
export const importDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("import", definitions);

/** Makes one finding of an import. */
export type MakeImportDiagnostic = MakeDiagnostic<typeof definitions>;
