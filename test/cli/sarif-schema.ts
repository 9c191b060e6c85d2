/**
 * SARIF 2.1.0 as far as hasp writes it, after the OASIS standard (sarif-v2.1.0-os, section 3, and its JSON schema): the
 * same required properties, types, enumerations, bounds and closed objects. It is written by hand since no package
 * carries the standard's schema; being closed, it refuses any property that is not listed here, so that one that hasp
 * begins to write must be looked up in the standard first.
 */
const text = { type: "string" };
const index = { type: "integer", minimum: 0 };
const fromOne = { type: "integer", minimum: 1 };
const closed = (required: readonly string[], properties: Readonly<Record<string, unknown>>): object => ({
  type: "object",
  required,
  properties,
  additionalProperties: false,
});
const list = (items: object): object => ({ type: "array", items });
/** §3.11: a message has its text, or the id of one. */
const message = {
  ...closed([], { text, markdown: text, id: text, arguments: list(text) }),
  anyOf: [{ required: ["text"] }, { required: ["id"] }],
};
/** §3.12 */
const multiformat = closed(["text"], { text, markdown: text });
const level = { enum: ["none", "note", "warning", "error"] };
/** §3.4: a relative address has no scheme and no backslash; §3.4.4 wants its base named. */
const artifactLocation = closed([], {
  uri: { type: "string", format: "uri-reference", pattern: String.raw`^(?![a-z][a-z0-9+.-]*:|/|.*\\)` },
  uriBaseId: text,
  index: { type: "integer", minimum: -1 },
  description: message,
});
/** §3.30 */
const region = closed([], {
  startLine: fromOne,
  startColumn: fromOne,
  endLine: fromOne,
  endColumn: fromOne,
  charOffset: { type: "integer", minimum: -1 },
  snippet: { type: "object" },
});
/** §3.29 */
const physicalLocation = {
  ...closed([], { artifactLocation, region, contextRegion: region }),
  anyOf: [{ required: ["artifactLocation"] }, { required: ["address"] }],
};
/** §3.28 */
const location = closed([], { id: index, physicalLocation, message });
/** §3.8 */
const properties = { type: "object", properties: { tags: { type: "array", items: text, uniqueItems: true } } };
/** §3.49 */
const reportingDescriptor = closed(["id"], {
  id: text,
  name: text,
  shortDescription: multiformat,
  fullDescription: multiformat,
  help: multiformat,
  helpUri: { type: "string", format: "uri" },
  defaultConfiguration: closed([], {
    enabled: { type: "boolean" },
    level,
    rank: { type: "number", minimum: -1, maximum: 100 },
  }),
  properties,
});
/** §3.27 */
const result = closed(["message"], {
  ruleId: text,
  ruleIndex: { type: "integer", minimum: -1 },
  kind: { enum: ["notApplicable", "pass", "fail", "review", "open", "informational"] },
  level,
  message,
  locations: list(location),
  relatedLocations: { ...list(location), uniqueItems: true },
  partialFingerprints: { type: "object", additionalProperties: text },
});
/** §3.18, §3.19 */
const tool = closed(["driver"], {
  driver: closed(["name"], {
    name: text,
    version: text,
    informationUri: { type: "string", format: "uri" },
    rules: { ...list(reportingDescriptor), uniqueItems: true },
  }),
});

/** §3.13, §3.14 */
export const sarifSchema: object = closed(["version", "runs"], {
  $schema: { type: "string", format: "uri" },
  version: { const: "2.1.0" },
  runs: list(
    closed(["tool"], {
      tool,
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      originalUriBaseIds: { type: "object", additionalProperties: artifactLocation },
      invocations: list(
        closed(["executionSuccessful"], { executionSuccessful: { type: "boolean" }, exitCode: { type: "integer" } }),
      ),
      results: list(result),
    }),
  ),
});
