import { defineDiagnostics, type DiagnosticFactory, type MakeDiagnostic } from "@hasp/base/diagnostics";

const definitions = {
  "no-list": "There is no list of tools here. Expected {shapes}.",
  "no-tools": "The list of tools is empty.",
  "not-a-tool": "This entry is not a tool: it is not an object with a name.",
  "too-large": '"{tool}" is {megabytes} MB, too large for any model; it is not imported.',
  "unread-tool": '"{tool}" cannot be read: {reason:clause}. It is not imported.',
  unexportable: {
    message: 'The schema of "{tool}" cannot be exported: {problem:clause}. It is not imported.',
    help: "JSON has only strings, numbers, booleans, null, arrays and objects; use z.iso.datetime() to accept a date as a string, for example.",
  },
  "property-left-out": {
    severity: "warning",
    message:
      '"{tool}" has optional properties that JSON Schema cannot express, such as dates ({places:list}); the spec leaves them out, so that no call can send them.',
    help: "Give them a form that JSON has, such as z.iso.datetime() in place of z.date().",
  },
  "unexportable-output": {
    severity: "warning",
    message: 'The output of "{tool}" cannot be exported: {problem:clause}. The spec has no "output".',
  },
  refinements: {
    severity: "warning",
    message:
      '"{tool}" has checks that are functions ({places:list}), which no schema can express; the spec omits them.',
    help: 'Express them under "validate", or have the handler parse the input again with the module\'s own schema.',
  },
  transforms: {
    severity: "warning",
    message:
      '"{tool}" changes values before its handler gets them ({places:list}), which no schema can express; the handler gets what the model sends.',
    help: 'Have the handler parse the input again with the module\'s own schema, as "--handlers" does.',
  },
  "functions-left-out": {
    severity: "warning",
    message: '"{tool}" has {functions:list}, which the spec leaves out.',
    help: 'Write who is asked under "behavior.requiresPermission", and what the model reads as the output of the handler.',
  },
  "provider-tool": {
    severity: "warning",
    message: 'The provider runs "{name}" itself; there is nothing to import.',
  },
  "name-taken":
    'Another document of this folder has a tool "{tool}"; that of {source} is not imported. Import {source} on its own with "--prefix", or leave one out with "--except".',
  "strict-nullable": {
    severity: "info",
    message:
      "{names:quoted}: required and nullable, which is how strict mode expresses optional properties. The spec keeps both; if null means absent to your handler, remove both.",
  },
  "one-tool": {
    severity: "info",
    message: '"{tool}", imported from the export {export}, is the same object as {exports:list}: it is one tool.',
  },
  "name-twice": '"{name}" is listed twice; only the first one is imported. Rename one of them in the source.',
  renamed: {
    severity: "warning",
    message: '"{from}" is not a valid tool name; the spec is named "{to}" and keeps the source\'s name under "origin".',
  },
  "no-schema": {
    message: '"{tool}" has no "{keyword}", so its arguments are unknown; it is not imported.',
    help: 'For a tool without arguments, use { "type": "object", "properties": {} }.',
  },
  "not-a-schema": 'Expected a schema here (an object, true or false); "{tool}" is not imported.',
  "reference-for-map": {
    message:
      '"{keyword}" is a map from names to schemas, but a "$ref" refers to a single schema; "{tool}" is not imported.',
    help: 'Some bundlers insert a "$ref" here. In JSON Schema, use "allOf": [{ "$ref": … }].',
  },
  "too-deep": 'The schema is nested more than {levels} levels deep; "{tool}" is not imported.',
  "too-many-parts": '"allOf" leads from here to more than {most} schemas; "{tool}" is not imported. Join some of them.',
  "unknown-type": {
    message:
      '"type" is {word}, which is not a JSON Schema type and has no unambiguous translation; "{tool}" is not imported.',
    help: "The types are array, boolean, integer, null, number, object and string.",
  },
  "unknown-draft": {
    message: '"$schema" is {draft}, whose "{word}" hasp cannot translate exactly; "{tool}" is not imported.',
    help: "Have the source write draft 2020-12 or draft-07.",
  },
  "mixed-drafts": {
    message:
      'The schema has no "$schema" and uses both "{older}" of draft-07 and "{newer}" of 2020-12, so its meaning is ambiguous; "{tool}" is not imported.',
    help: 'Add "$schema" to the source.',
  },
  "not-writable-as-yaml": {
    message: '"{tool}" contains strings that do not survive a round trip through YAML; it is not imported.',
    help: "Look for unpaired surrogates and control characters in its names and descriptions.",
  },
  "broken-reference": '"{reference}" cannot be resolved: {problem}. "{tool}" is not imported.',
  "needs-missing": {
    message: '"{tool}" needs "{definition}", which was not imported; it is not imported either.',
    help: "See the error at the definition itself.",
  },
  "output-missing": {
    severity: "warning",
    message: 'The output of "{tool}" needs "{definition}", which was not imported; the spec has no "output".',
  },
  "not-buildable": '"{tool}" is not imported, because no build accepts it: {problem:clause}.',
  "part-left-out": {
    severity: "warning",
    message: 'The spec of "{tool}" leaves out "{part}", which no build accepts: {problem:clause}.',
  },
  "output-not-buildable": {
    severity: "warning",
    message: 'The spec of "{tool}" does not describe its output: {problem:clause}.',
    help: "Calls work all the same; hasp neither types nor checks their results.",
  },
  loosened: {
    severity: "warning",
    message: {
      union:
        'The branches of a "oneOf" overlap, and objects in them cannot be closed; {pointer} of "{owner}" uses "anyOf", which also accepts what several branches match.',
      bare: 'Nothing defines what an object may contain; {pointer} of "{owner}" accepts anything, and "hasp check" fails until that is approved.',
      undescribed:
        'A property is required but not described, so no value would be valid; {pointer} of "{owner}" accepts any value for it.',
      pattern:
        'A pattern is invalid, or cannot be matched in linear time; {pointer} of "{owner}" keeps it as "x-imported-pattern", which checks nothing.',
      default:
        'A default does not match its schema; {pointer} of "{owner}" keeps it as "x-imported-default", which has no effect.',
      example:
        'An example does not match its schema; {pointer} of "{owner}" keeps it under "x-imported-examples", which has no effect.',
    },
  },
  "bound-dropped": {
    severity: "warning",
    message:
      '"{keyword}" is beyond 2^53, where numbers are rounded; the spec keeps it as "x-imported-{keyword}", which checks nothing.',
  },
  "older-definition": {
    message:
      '"{definition}" is written in draft-07 and shared between tools; it is not imported, since shared files use 2020-12.',
    help: 'Have the source write draft 2020-12: "prefixItems" for lists of "items", "dependentRequired" for "dependencies".',
  },
  "input-not-object":
    'The input does not accept objects, but the arguments of a call are always an object; "{tool}" is not imported.',
  "root-object": {
    severity: "info",
    message: 'The input has no "type: object"; the spec adds it, since the arguments of a call are always an object.',
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
      '"nullable: true" does not affect an "enum" that does not list null; like the source, the spec does not accept null here.',
  },
  "nullable-without-type": {
    severity: "warning",
    message:
      '"nullable: true" without a "type" means nothing by the letter of OpenAPI 3.0; the spec accepts null, as authors mean it.',
    help: '"--nullable strict" follows the letter.',
  },
  "beside-reference": {
    severity: "warning",
    message:
      '"{keyword}" is a sibling of "$ref", which OpenAPI 3.0 ignores; the spec keeps it as "{kept}", which checks nothing.',
  },
  "openapi-version": {
    message: {
      none: 'This is not an OpenAPI document: it has no "openapi" key.',
      swagger: "This is {version}; hasp reads OpenAPI 3.0, 3.1 and 3.2.",
      other: "This is {version}; hasp reads OpenAPI 3.0, 3.1 and 3.2.",
    },
    help: { swagger: "Convert it first, for example with swagger2openapi." },
  },
  "openapi-dialect": {
    message: '"jsonSchemaDialect" selects a dialect that hasp does not know, so the meaning of the schemas is unknown.',
    help: "hasp reads schemas in 2020-12, which is OpenAPI's default.",
  },
  "no-operations": 'The document has no operation under "paths".',
  "broken-path": 'The operations of "{path}" are not imported: {problem}.',
  "operation-id-twice": {
    severity: "warning",
    message: '"operationId: {id}" is used twice; this one becomes "{name}", after its method and path.',
  },
  "broken-parameter": 'This parameter cannot be imported: {problem}. "{tool}" is not imported.',
  "path-parameter-unknown":
    '"{path}" has a placeholder "{name}", but no "in: path" parameter defines it; "{tool}" is not imported.',
  "path-parameter-unused": {
    severity: "warning",
    message: '"{name}" is a parameter of the path, but "{path}" has no such placeholder; the spec leaves it out.',
  },
  "unsent-method": 'Handlers cannot send {method} requests, only {methods:list}; "{tool}" is not imported.',
  "unsent-path": 'No request can have the path "{path}": {problem}. "{tool}" is not imported.',
  "no-server": {
    severity: "warning",
    message: 'The document names no server, so its connection has the placeholder "https://service.invalid".',
    help: 'Write the address into the configuration, or import with "--url".',
  },
  "scheme-left-out": {
    severity: "warning",
    message:
      'No connection can use the security scheme "{scheme}", and calls that need it have no other: the import leaves it out.',
    help: 'A connection takes API keys, basic and bearer credentials, and OAuth 2 at https addresses. Give it an "auth" that the service accepts, such as a bearer token.',
  },
  "bad-base-url": '"--url {address}" must begin with https:// or http:// and contain no password.',
  "parameter-left-out": {
    severity: "warning",
    message: 'The spec of "{tool}" leaves out the {place} "{name}": {why}.',
  },
  "body-ignored": {
    severity: "warning",
    message: 'A {method} request has no body (RFC 9110); the spec of "{tool}" leaves it out.',
  },
  "stream-output": {
    severity: "warning",
    message:
      '"{tool}" returns a stream of items in {type}. A call returns it as one text, up to the limits of its connection, and the spec has no "output".',
  },
  "broken-body": 'The request body cannot be imported: {problem}. "{tool}" is not imported.',
  "idempotency-key": {
    severity: "info",
    message:
      'Models are not asked for "Idempotency-Key": the handler sends it once "isIdempotent: withKey" is approved.',
  },
  "credential-left-out": {
    severity: "info",
    message: '"{name}" carries credentials: the handler sends it, and models are not asked for it.',
  },
  drift: {
    message: {
      untouched: 'The source of "{tool}" has changed since it was imported: {changed:list}.',
      edited:
        'The source of "{tool}" has changed since it was imported: {changed:list}. You have also edited the imported parts.',
    },
    help: {
      edited:
        'Review the change like code, since models will read it. "--update" merges it with your edits and asks about values that both sides changed.',
      untouched:
        'Review the change like code, since models will read it. Then run again with "--update"; your own keys stay.',
    },
  },
  "definition-drift": {
    message: {
      untouched: 'The source of "{path}" has changed since it was imported: {changed:list}.',
      edited:
        'The source of "{path}" has changed since it was imported: {changed:list}. You have also edited the imported parts.',
    },
    help: {
      edited:
        'Every tool that refers to them changes with them. "--update" merges the change with your edits and asks about values that both sides changed.',
      untouched: 'Every tool that refers to them changes with them. Review the change, then run again with "--update".',
    },
  },
  conflict: {
    message:
      'You and the source have both changed {pointer} of "{path}": yours is {ours}, the source has {theirs}, and the last import had {base}.',
    help: '"--prefer ours" keeps yours in every conflict, "--prefer theirs" takes the source\'s; on a terminal, "--update" asks about each. Nothing was written to this file.',
  },
  "not-mergeable": {
    message: '"{path}" cannot be edited in place, because aliases share parts of it.',
    help: 'Write the aliases out, or take the source version of the whole file with "--update --force".',
  },
  gone: {
    message: 'The source no longer lists "{tool}", but "{path}" still exists.',
    help: 'Delete the spec, or remove its "origin" if you maintain the tool yourself from now on.',
  },
  "approved-before": {
    severity: "warning",
    message:
      'The source of "{tool}" has changed ({changed:list}) and the spec was updated; the ledger approved these claims before: {claims:quoted}.',
    help: "Review these claims. Those that are still true stay approved; remove the others from the spec and run `hasp approve --prune`.",
  },
  "not-imported": {
    message: 'The source lists "{tool}", but it has no spec.',
    help: "Run the import without --check to write one.",
  },
  "secret-removed": {
    severity: "warning",
    message:
      'Texts of "{tool}" that look like secrets were left out: {count}. If they are real, revoke them and tell the authors of the source.',
  },
  "no-description": {
    severity: "warning",
    message:
      '"{tool}" has no description; the spec takes "{description}" from its name. Say what the tool does, when to use it and when not to.',
  },
  "type-word": {
    severity: "info",
    message: {
      any: 'The type "{word}" means any value; the spec expresses that by having no "type".',
      type: 'The type "{word}" becomes "{type}", the JSON Schema equivalent.',
    },
  },
  nullable: {
    severity: "info",
    message: '"nullable: true" becomes a type list with "null", which means the same.',
  },
  example: {
    severity: "info",
    message: '"example" becomes "examples", the JSON Schema equivalent.',
  },
  "boolean-bound": {
    severity: "info",
    message: '"{keyword}: true" is draft-04; it becomes a number, which means the same.',
  },
  "unused-definitions": {
    severity: "info",
    message: "Definitions left out because this tool does not use them: {count}.",
  },
  draft: {
    severity: "info",
    message: "The schema is {from}; the spec uses {to}, which means the same here.",
  },
  "older-words": {
    severity: "info",
    message: '"{word}" as used here is a draft-07 keyword; the spec declares draft-07 with "$schema".',
  },
  "keyword-kept": {
    severity: "warning",
    message: '"{keyword}" has no meaning in JSON Schema here; the spec keeps it as "{kept}", which checks nothing.',
  },
  "invalid-value": {
    severity: "warning",
    message: {
      default:
        'This default does not match its own schema; the spec keeps it as "x-imported-default", which has no effect.',
      examples:
        'These examples do not match the schema; the spec keeps them as "x-imported-examples", which has no effect.',
    },
  },
  "needless-escapes": {
    severity: "info",
    message: "The pattern has needless backslashes; the spec omits them, since patterns use the u flag.",
  },
  "implied-object": {
    severity: "warning",
    message:
      'This describes properties, but states no type; the spec says "type: object", so that only objects are sent.',
  },
  "bare-object": {
    severity: "warning",
    message:
      'Nothing defines what this object may contain; the spec accepts anything here, and "hasp check" fails until that is approved.',
    help: 'Or decide in the spec: list its "properties", or give its values a type with "additionalProperties: { type: … }".',
  },
  "open-object": {
    severity: "warning",
    message:
      'The source accepts any property here, and so does the spec; "hasp check" fails until it is closed or approved.',
  },
  "connection-missing": 'The connection "{name}" is not in {path}. Add under "connections": {text}',
  "secret-in-source": {
    message:
      "The command or address of the server seems to contain a secret, so it was not copied into the configuration, which is committed.",
    help: 'Put it into an environment variable, and pass that with "--env" or "--header".',
  },
  "address-cut": {
    severity: "warning",
    message: "The configuration contains the server's address without its {part}, which may be a secret.",
    help: 'Calls need another way to send it, such as "headers" or "auth" of the connection.',
  },
  "header-left-out": {
    severity: "warning",
    message: 'The configuration does not contain the header "{header}": its value may be a secret.',
    help: 'Put the whole value into an environment variable and import with --header "{header}=$NAME".',
  },
  "connection-taken": {
    message: 'The connection "{name}" in {path} is of another kind; the imported tools cannot use it.',
    help: "Import with --connection and another name.",
  },
  "unreachable-address": {
    severity: "warning",
    message:
      'The source states the private address {url}, which no build accepts; the connection "{name}" in {path} has the placeholder "https://service.invalid".',
    help: 'If it is yours, write it there with "allowPrivateAddresses: true", or import with "--url {url}".',
  },
  "connection-kept": {
    severity: "warning",
    message: 'The connection "{name}" in {path} has other settings than the import would write; yours are kept.',
    help: "The import would write: {text}",
  },
  "no-relations": {
    message: 'The role "{role}" can read no table or view in the schemas {schemas:list}.',
    help: "Grant it SELECT on what agents may read, or name other schemas with --schema.",
  },
  "unknown-schema": 'There is no schema "{schema}" that the role "{role}" may use.{nearest:suggestion}',
  "relation-denied": {
    severity: "warning",
    message: 'The role "{role}" may not read "{relation}"; it is not imported.',
  },
  "relation-empty": {
    severity: "warning",
    message: '"{relation}" has no column that a tool could read; it is not imported.',
  },
  "columns-denied": {
    severity: "warning",
    message: 'The role "{role}" may not read these columns of "{relation}"; they are left out: {columns:list}.',
  },
  "column-left-out": {
    severity: "warning",
    message: '"{column}" of "{relation}" is left out: {reason:clause}.',
  },
  "privileged-role": {
    severity: "warning",
    message: 'The role "{role}" is a superuser or can access files of the server; no transaction restrains it.',
    help: "Give the connection a role that may do no more than its tools need.",
  },
  "no-key": {
    severity: "warning",
    message:
      '"{relation}" has neither a primary key nor a unique key without NULL, so no tool can get, update or delete a single row.',
  },
  "no-insert": {
    severity: "warning",
    message: 'There is no tool that inserts into "{relation}": {reason:clause}.',
  },
  "filters-left-out": {
    severity: "warning",
    message:
      '"{relation}" has {count} columns to filter by; the tool offers those with an index, an enum or a boolean.',
    help: "Add others to the statement and the input if agents need them.",
  },
  "unknown-hint": {
    severity: "warning",
    message: 'The annotation "{name}" is unknown to hasp or not a boolean; it is omitted.',
  },
} as const;

/** Findings of an import. An error excludes its tool or, without one, the whole source. */
export const importDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("import", definitions);

export type MakeImportDiagnostic = MakeDiagnostic<typeof definitions>;
