import type { JsonSchema, JsonValue, SchemaDiagnostic } from "@hasp/schema";
import { type Location, createLocation, isError } from "@hasp/base/diagnostics";
import { type LoadedDocument, createAnnotationCheck, fromDocumentUri } from "@hasp/compiler/model";
import { createFlatSchema, findOpenInputs, flatPart, listReferences } from "@hasp/compiler/source";
import { isList, isObject, findValueAt } from "@hasp/base/json";
import type { FlatSchema } from "@hasp/compiler/plugin";
import { describeFault, readDefinitionName } from "./definitions.js";
import { followReference } from "../source/documents.js";
import type { Remedy } from "./remedies.js";

export type BuildObstacle =
  /** `detail` is the index of an example or the name of a property. */
  | { readonly uri: string; readonly pointer: string; readonly remedy: Remedy; readonly detail: string }
  /** No remedy is known; `problem` is the finding of a build. */
  | { readonly problem: string };

/** The documents of one tool: its own under `TOOL_URI`, and that of the shared definitions. */
type DraftDocuments = ReadonlyMap<string, LoadedDocument>;

export const TOOL_URI = "imported.tool.yaml";

/** A larger output, with all definitions expanded, helps nobody, and hundreds of them exceed the memory of a build. */
const LARGEST_OUTPUT = 5000;

export function draftDocument(uri: string, value: JsonValue): LoadedDocument {
  return {
    uri,
    role: "spec",
    text: "",
    value,
    references: listReferences(value),
    locate: (pointer) => ({ ...createLocation(uri), pointer }),
  };
}

interface InputFindings {
  readonly obstacles: readonly BuildObstacle[];
  /** True if it accepts undeclared keys or any type somewhere, which a reviewer must approve. */
  readonly isOpen: boolean;
}

/** Examines an input. A fault in a shared definition counts only if the tool `needs` that definition. */
export function examineInput(schema: JsonValue, documents: DraftDocuments, needs: DefinitionCheck): InputFindings {
  const flat = flatPart(schema as JsonSchema, { part: "input", uri: TOOL_URI, pointer: "/input", documents });
  const errors = flat.diagnostics.filter(isOwnError(needs));
  if (errors.length > 0) {
    return { obstacles: errors.flatMap((error) => obstaclesOfFinding(error, documents)), isOpen: false };
  }
  const located = createFlatSchema(flat.schema, flat.originsOf, documents, () => ({
    uri: TOOL_URI,
    pointer: "/input",
    range: createLocation(TOOL_URI).range,
  }));
  const obstacles = [
    ...undescribed(located).map(({ pointer, name }) => undescribedAt(located.locate(pointer), name, documents)),
    ...located.nodes
      .flatMap(createAnnotationCheck(located, "input"))
      .map(({ location, what, problem }) =>
        annotationAt(location, `${what} does not match its schema: ${problem}`, documents),
      ),
  ];
  return { obstacles, isOpen: findOpenInputs(flat.schema).length > 0 };
}

/** Finds required properties that a closed object does not have, so that no value is valid. */
function undescribed({ nodes }: FlatSchema): readonly { readonly pointer: string; readonly name: string }[] {
  return nodes.flatMap(({ schema, pointer }) => {
    const { required = [], properties = {}, patternProperties, additionalProperties } = schema;
    if (additionalProperties !== false || patternProperties !== undefined) return [];
    return required
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => ({ pointer: `${pointer}/required`, name }));
  });
}

export function examineOutput(
  schema: JsonValue,
  documents: DraftDocuments,
  needs: DefinitionCheck,
): readonly BuildObstacle[] {
  const { diagnostics } = flatPart(schema as JsonSchema, {
    part: "output",
    uri: TOOL_URI,
    pointer: "/output",
    documents,
    nodeBudget: LARGEST_OUTPUT,
  });
  return diagnostics.filter(isOwnError(needs)).flatMap((error) => {
    if (error.code !== "schema/too-large") return obstaclesOfFinding(error, documents);
    // The finding's own advice is for authors of schemas.
    const { pointer } = error.origin;
    return {
      problem: `with all definitions written out, it has more than ${LARGEST_OUTPUT} schemas, most of them from "${pointer}"`,
    };
  });
}

type DefinitionCheck = (name: string) => boolean;

/** Creates a check for the errors of a tool: all but those in definitions that it does not need. */
function isOwnError(needs: DefinitionCheck): (diagnostic: SchemaDiagnostic) => boolean {
  return (diagnostic) => {
    if (!isError(diagnostic)) return false;
    const { uri, pointer } = diagnostic.origin;
    const name = definitionAt({ uri: fromDocumentUri(uri), pointer });
    return name === undefined || needs(name);
  };
}

function definitionAt({ uri, pointer }: SchemaPlace): string | undefined {
  return uri === TOOL_URI ? undefined : readDefinitionName(pointer);
}

function obstaclesOfFinding(
  { code, origin, message }: SchemaDiagnostic,
  documents: DraftDocuments,
): readonly BuildObstacle[] {
  const place = { uri: fromDocumentUri(origin.uri), pointer: origin.pointer };
  switch (code) {
    case "schema/ambiguous-union": {
      const unions = unionsAt(place, documents);
      return unions.length === 0 ? [{ problem: message }] : unions;
    }
    case "schema/bare-object": {
      const schema = valueOf(place, documents);
      const isBare = isObject(schema) && schema["type"] !== undefined && schema["additionalProperties"] === undefined;
      return [isBare ? { ...place, remedy: "bare", detail: "" } : { problem: message }];
    }
    case "schema/slow-pattern":
    case "schema/invalid-pattern":
      return [patternAt(place, message, documents)];
    default:
      return [{ problem: describeFault(message, definitionAt(place)) }];
  }
}

/** Finds the `oneOf` at a place, or in the schemas that it refers to or combines. */
function unionsAt({ uri, pointer }: SchemaPlace, documents: DraftDocuments): readonly BuildObstacle[] {
  const start = documents.get(uri);
  const places = new Map(start === undefined ? [] : [[`${start.uri}#${pointer}`, { document: start, pointer }]]);
  const found: BuildObstacle[] = [];
  for (const { document, pointer: at } of places.values()) {
    const schema = findValueAt(document.value, at);
    if (!isObject(schema)) continue;
    const { oneOf, allOf, $ref: reference } = schema;
    if (oneOf !== undefined) found.push({ uri: document.uri, pointer: at, remedy: "union", detail: "" });
    for (const index of isList(allOf) ? allOf.keys() : []) {
      places.set(`${document.uri}#${at}/allOf/${index}`, { document, pointer: `${at}/allOf/${index}` });
    }
    const target = typeof reference === "string" ? followReference(reference, document, documents) : undefined;
    if (target !== undefined && "document" in target) {
      places.set(`${target.document.uri}#${target.pointer}`, target);
    }
  }
  return found;
}

function annotationAt({ uri, pointer }: SchemaPlace, problem: string, documents: DraftDocuments): BuildObstacle {
  const [, schema = "", keyword, index] = /^(.*)\/(default|examples)(?:\/(\d+))?$/u.exec(pointer) ?? [];
  if (keyword === undefined || valueOf({ uri, pointer }, documents) === undefined) return { problem };
  return keyword === "default"
    ? { uri, pointer: schema, remedy: "default", detail: "" }
    : { uri, pointer: schema, remedy: "example", detail: index ?? "" };
}

function undescribedAt({ uri, pointer }: SchemaPlace, name: string, documents: DraftDocuments): BuildObstacle {
  const [, schema] = /^(.*)\/required$/u.exec(pointer) ?? [];
  const names = valueOf({ uri, pointer }, documents);
  return schema === undefined || !isList(names) || !names.includes(name)
    ? { problem: `"${name}" is required but not described` }
    : { uri, pointer: schema, remedy: "undescribed", detail: name };
}

function patternAt({ uri, pointer }: SchemaPlace, problem: string, documents: DraftDocuments): BuildObstacle {
  const [, schema] = /^(.*)\/pattern$/u.exec(pointer) ?? [];
  return schema === undefined || valueOf({ uri, pointer }, documents) === undefined
    ? { problem }
    : { uri, pointer: schema, remedy: "pattern", detail: "" };
}

type SchemaPlace = Pick<Location, "uri" | "pointer">;

function valueOf({ uri, pointer }: SchemaPlace, documents: DraftDocuments): JsonValue | undefined {
  const document = documents.get(uri);
  return document && findValueAt(document.value, pointer);
}
