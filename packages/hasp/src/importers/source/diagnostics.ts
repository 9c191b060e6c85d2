import {
  defineDiagnostics,
  type DiagnosticFactory,
  type MakeDiagnostic,
} from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "no-list": {
    severity: "error",
    message: "No list of tools is here. It must be {shapes}.",
  },
  "no-tools": {
    severity: "error",
    message: "The list of tools is empty.",
  },
  "not-a-tool": {
    severity: "error",
    message: "This entry is not a tool: it is no object with a name.",
  },
  "too-large": {
    severity: "error",
    message: '"{tool}" has {megabytes} MB to say, which no model reads; it is not imported.',
  },
  "unread-tool": {
    severity: "error",
    message: '"{tool}" cannot be read: {reason:clause}. It is not imported.',
  },
  unexportable: {
    severity: "error",
    message: 'The schema of "{tool}" cannot be exported: {problem:clause}. It is not imported.',
    help: "JSON knows text, numbers, booleans, null, lists and objects; take a date as text with z.iso.datetime(), for example.",
  },
  "unexportable-output": {
    severity: "warning",
    message: 'What "{tool}" returns cannot be exported: {problem:clause}. The spec has no "output".',
  },
  refinements: {
    severity: "warning",
    message:
      '"{tool}" has checks that are functions ({places:list}), which no schema can say; the spec does not have them.',
    help: 'Say them under "validate", or let the handler parse the input again with the module\'s own schema.',
  },
  "provider-tool": {
    severity: "warning",
    message: '"{name}" is run by the provider; there is nothing to import.',
  },
  "free-text-tool": {
    severity: "error",
    message: '"{tool}" takes free text and no JSON; it is not imported.',
  },
  "strict-nullable": {
    severity: "info",
    message:
      "{names:quoted}: required and nullable, which is how strict mode writes what is optional. The spec says the same; where null means absent to your handler, take both away.",
  },
  "name-twice": {
    severity: "error",
    message: '"{name}" stands in the list twice; only the first one is imported. Rename one of them at the source.',
  },
  renamed: {
    severity: "warning",
    message: '"{from}" is no valid tool name; the spec is called "{to}" and keeps the source\'s name under "origin".',
  },
  "no-schema": {
    severity: "error",
    message: '"{tool}" has no "{keyword}", so nobody knows what it takes; it is not imported.',
    help: 'A tool without arguments says { "type": "object", "properties": {} }.',
  },
  "not-a-schema": {
    severity: "error",
    message: 'A schema must stand here (an object, true or false); "{tool}" is not imported.',
  },
  "reference-for-map": {
    severity: "error",
    message:
      '"{keyword}" is a map from names to schemas, and a "$ref" stands for one schema; "{tool}" is not imported.',
    help: 'Some bundlers paste text here. In JSON Schema, say it with "allOf": [{ "$ref": … }].',
  },
  "too-deep": {
    severity: "error",
    message: 'The schema is nested more than {levels} levels deep; "{tool}" is not imported.',
  },
  "unknown-type": {
    severity: "error",
    message:
      '"type" says {word}, which is no type of JSON Schema and has no certain translation; "{tool}" is not imported.',
    help: "The types are array, boolean, integer, null, number, object and string.",
  },
  "unknown-draft": {
    severity: "error",
    message: '"$schema" is {draft}, whose "{word}" hasp cannot translate exactly; "{tool}" is not imported.',
    help: "Have the source write draft 2020-12 or draft-07.",
  },
  "mixed-drafts": {
    severity: "error",
    message:
      'The schema has no "$schema" and uses both "{older}" of draft-07 and "{newer}" of 2020-12, so nobody knows what it means; "{tool}" is not imported.',
    help: 'Have the source say "$schema".',
  },
  "not-writable-as-yaml": {
    severity: "error",
    message: '"{tool}" holds text that no spec can say and read back unchanged; it is not imported.',
    help: "Look for halves of surrogate pairs and for control characters in its names and descriptions.",
  },
  "broken-reference": {
    severity: "error",
    message: '"{reference}" cannot be followed: {problem}. "{tool}" is not imported.',
  },
  "needs-missing": {
    severity: "error",
    message: '"{tool}" needs "{definition}", which was not imported; so neither is it.',
    help: "What is wrong with the definition stands at its own place.",
  },
  "output-missing": {
    severity: "warning",
    message: 'What "{tool}" returns needs "{definition}", which was not imported; the spec has no "output".',
  },
  "older-definition": {
    severity: "error",
    message:
      '"{definition}" is written in draft-07 and shared between tools; it is not imported, since a shared file speaks 2020-12.',
    help: 'Have the source write draft 2020-12: "prefixItems" for lists of "items", "dependentRequired" for "dependencies".',
  },
  "input-not-object": {
    severity: "error",
    message: 'The input takes no object, and the arguments of a call are always one; "{tool}" is not imported.',
  },
  "root-object": {
    severity: "info",
    message: 'The input has no "type: object"; the spec says it, since the arguments of a call are always an object.',
  },
  "hidden-properties": {
    severity: "info",
    message: {
      input: "Properties left out because they are read-only: {count}.",
      output: "Properties left out because they are write-only: {count}.",
    },
  },
  "nullable-enum": {
    severity: "warning",
    message:
      '"nullable: true" does not reach into an "enum" that does not list null; the spec takes no null here, as the source says.',
  },
  "beside-reference": {
    severity: "warning",
    message:
      '"{keyword}" stands beside a "$ref", where OpenAPI 3.0 ignores it; the spec keeps it as "{kept}", which checks nothing.',
  },
  "openapi-version": {
    severity: "error",
    message: {
      none: 'This is no OpenAPI document: nothing says "openapi".',
      swagger: "This is {version}; hasp reads OpenAPI 3.0, 3.1 and 3.2.",
      other: "This is {version}; hasp reads OpenAPI 3.0, 3.1 and 3.2.",
    },
    help: { swagger: "Convert it first, for instance with swagger2openapi." },
  },
  "openapi-dialect": {
    severity: "error",
    message: '"jsonSchemaDialect" names a dialect that hasp does not know, so nobody knows what the schemas mean.',
    help: "Schemas in 2020-12, which is what OpenAPI means by itself, are read.",
  },
  "no-operations": {
    severity: "error",
    message: 'The document has no operation under "paths".',
  },
  "broken-path": {
    severity: "error",
    message: 'The operations of "{path}" are not imported: {problem}.',
  },
  "operation-id-twice": {
    severity: "warning",
    message: '"operationId: {id}" stands twice; this one becomes "{name}", after its method and path.',
  },
  "broken-parameter": {
    severity: "error",
    message: 'This is no parameter that can be imported: {problem}. "{tool}" is not imported.',
  },
  "path-parameter-unknown": {
    severity: "error",
    message:
      '"{path}" has a placeholder "{name}", and no parameter "in: path" says what that is; "{tool}" is not imported.',
  },
  "broken-body": {
    severity: "error",
    message: 'The request body cannot be imported: {problem}. "{tool}" is not imported.',
  },
  "credential-left-out": {
    severity: "info",
    message: '"{name}" carries credentials: the handler sends it, and no model is asked for it.',
  },
  drift: {
    severity: "error",
    message: {
      untouched: 'The source of "{tool}" has changed since it was imported: {changed:list}.',
      edited:
        'The source of "{tool}" has changed since it was imported: {changed:list}. You have edited what came from it, too.',
    },
    help: {
      edited:
        'Read both. "--update --force" takes what the source says and keeps your other keys; or bring the change over by hand and take its digest.',
      untouched:
        'Read the change as you would read code: it is what a model will be told. Then run again with "--update"; your own keys stay.',
    },
  },
  "definition-drift": {
    severity: "error",
    message: {
      untouched: 'The source of "{path}" has changed since it was imported: {changed:list}.',
      edited:
        'The source of "{path}" has changed since it was imported: {changed:list}. You have edited what came from it, too.',
    },
    help: {
      edited:
        'Read both. "--update --force" takes what the source says of these definitions; the others stay as you have them.',
      untouched: 'Every tool that refers to them changes with them. Read the change, then run again with "--update".',
    },
  },
  gone: {
    severity: "error",
    message: 'The source does not list "{tool}" any longer, and "{path}" is still there.',
    help: 'Delete the spec, or take its "origin" away if the tool is yours from now on.',
  },
  "approved-before": {
    severity: "error",
    message:
      'What the source says of "{tool}" has changed ({changed:list}) and was taken over; before that, the ledger approved: {claims:quoted}.',
    help: "Look at these claims again. What is still true stays approved; take the others out of the spec and run: hasp approve --prune",
  },
  "not-imported": {
    severity: "error",
    message: 'The source lists "{tool}", and there is no spec of it.',
    help: "Run the import without --check to write one.",
  },
  "no-description": {
    severity: "warning",
    message:
      '"{tool}" has no description; the spec is written with an empty one, and "hasp check" refuses it until you say what the tool does, when to use it and when not.',
  },
  "type-word": {
    severity: "info",
    message: {
      any: 'The type word "{word}" means any value; the spec says that by having no "type".',
      type: 'The type word "{word}" is written as "{type}", JSON Schema\'s word for it.',
    },
  },
  nullable: {
    severity: "info",
    message: '"nullable: true" is written as a type list with "null", which means the same.',
  },
  example: {
    severity: "info",
    message: '"example" is written as "examples", JSON Schema\'s word for it.',
  },
  "boolean-bound": {
    severity: "info",
    message: '"{keyword}: true" is draft-04; it is written as a number, which means the same.',
  },
  "unused-definitions": {
    severity: "info",
    message: "Definitions left out because this tool does not use them: {count}.",
  },
  draft: {
    severity: "info",
    message: "The schema is {from}; the spec says {to}, which means the same here.",
  },
  "older-words": {
    severity: "info",
    message: '"{word}" as it stands here is a word of draft-07; the spec says so with "$schema".',
  },
  "keyword-kept": {
    severity: "warning",
    message: '"{keyword}" means nothing in JSON Schema here; the spec keeps it as "{kept}", which checks nothing.',
  },
  "invalid-value": {
    severity: "warning",
    message: {
      default:
        'This default does not fit its own schema, so it is no default; the spec keeps it as "x-imported-default", which fills nothing.',
      examples:
        'What does not fit the schema itself is no example of it; the spec keeps it as "x-imported-examples", which nobody reads.',
    },
  },
  "needless-escapes": {
    severity: "info",
    message:
      "The pattern has backslashes that mean nothing; the spec leaves them out, since patterns are read with the u flag.",
  },
  "bare-object": {
    severity: "warning",
    message: 'Nothing says what this object may hold; "hasp check" will ask.',
    help: 'Decide in the spec: list its "properties", give its values a type with "additionalProperties: { type: … }", or, if anything may stand there, say "additionalProperties: true" and have it approved.',
  },
  "open-object": {
    severity: "warning",
    message:
      'The source takes any property here, and the spec repeats that; "hasp check" refuses it until it is closed or approved.',
  },
  "unknown-hint": {
    severity: "warning",
    message: 'The annotation "{name}" is not known to hasp or not a boolean; it is left out.',
  },
} as const;

/**
 * What an importer finds in a source. An error means that the tool (or, without one, the whole source) is not imported.
 */
export const importDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("import", definitions);

/** Makes one finding of an import. */
export type MakeImportDiagnostic = MakeDiagnostic<typeof definitions>;
