import { type Diagnostic, findSuggestions, placeInText } from "@hasp/base/diagnostics";
import {
  findConnectionName,
  declarationOf,
  findPluginKind,
  type HandlerDeclaration,
  type HandlerFormats,
  isPluginKind,
  listPluginKinds,
} from "../model/handlers.js";
import { escapeToken, parsePointer, own, readOwnMember, groupBy } from "@hasp/base/json";
import type { ToolSpec } from "../model/spec-keys.js";
import type { FlatTool } from "../model/tool.js";
import { findPeerPackage, listConnectionPeers } from "./connection-needs.js";
import { handlerDiagnostics, type HandlerFindings } from "./diagnostics.js";
import { findReferences, type HandlerKinds } from "./kinds.js";
import type { ValueReference } from "./references.js";
import type { DeclaringTool, HandlerPlan, ReportConnection, ReportHandler, ReportWith } from "./handler-kind.js";
import { findProperty, listSiblings } from "./input-property.js";

type ReportFinding = ReportHandler<HandlerFindings>;

/** Checks declared handlers and connections, each by its kind. */
export function checkHandlers(
  tools: readonly FlatTool[],
  plan: HandlerPlan,
  kinds: HandlerKinds,
): readonly Diagnostic[] {
  return [...tools.flatMap((tool) => checkTool(tool, plan, kinds)), ...checkConnections(tools, plan, kinds)];
}

function checkTool(tool: FlatTool, plan: HandlerPlan, kinds: HandlerKinds): readonly Diagnostic[] {
  const { bind, output, outputCheck } = tool.spec;
  const declared = declarationOf(tool.spec);
  const diagnostics: Diagnostic[] = [];
  const about = { tool: tool.name };
  if (outputCheck !== undefined && output === undefined) {
    diagnostics.push(handlerDiagnostics("nothing-to-check", tool.locate("/outputCheck", "key"), undefined, about));
  }
  if (declared === undefined) {
    if (bind === undefined) return diagnostics;
    const place = tool.locate("/bind", "key");
    return [...diagnostics, handlerDiagnostics("bind-without-declaration", place, { kinds: kinds.names }, about)];
  }
  const { key, declaration } = declared;
  const reportAt: (holder: string, part?: "key" | "value") => ReportWith =
    (holder, part) => (make) => (name, at, parameters, span) => {
      const location = tool.locate(holder + at, part);
      const text = span && textAt(declaration, at);
      const place =
        span === undefined || text === undefined ? location : placeInText(tool.document, location, text, span);
      diagnostics.push(make(name, place, parameters, about));
    };
  const reportWith = reportAt(`/handler/${escapeToken(key)}`);
  const report = reportWith(handlerDiagnostics);
  const formats = kinds.findFormats(key);
  if (formats === undefined || (isPluginKind(key) && findPluginKind(tool.spec, plan) === undefined)) {
    const known = [...kinds.names, ...listPluginKinds(plan).map(({ name }) => name)];
    report("unknown-kind", "", { name: key, nearest: findSuggestions(key, known) });
    return diagnostics;
  }
  const { takesWholeInput, check } = kinds.partsOf(key);
  const references = findReferences(declared, tool.spec, kinds);
  checkNamedConnection(declared, plan, report);
  checkTests(key, formats, tool.spec, reportAt("/tests", "key")(handlerDiagnostics));
  const unknown = references.filter((reference) => !checkReference(reference, tool, plan, report));
  const bound = takesWholeInput === true ? undefined : references;
  checkBind(tool.spec, plan, bound, (part) => reportAt("/bind", part)(handlerDiagnostics));
  for (const name of tool.customFunctions) {
    reportAt("/handler", "key")(handlerDiagnostics)("custom-function", "", { name, tool: tool.name });
  }
  if (takesWholeInput === undefined) checkUnused(tool, references, reportAt("/input")(handlerDiagnostics));
  if (unknown.length === 0) check(declaration, tool, reportWith, plan);
  return diagnostics;
}

/** Reports answers and requests in tests that belong to another kind: nothing would compare them. */
function checkTests(
  kind: string,
  { respond, request }: HandlerFormats,
  { tests = [] }: ToolSpec,
  report: ReportFinding,
): void {
  for (const [index, test] of tests.entries()) {
    const parts = [
      ["respond", respond, test.respond],
      ["expect/request", request, readOwnMember(test.expect, "request")],
    ] as const;
    for (const [part, schema, stated] of parts) {
      const known = Object.keys(schema["properties"] ?? {});
      for (const name of Object.keys(stated ?? {})) {
        if (known.includes(name)) continue;
        const nearest = findSuggestions(name, known);
        report("answer-of-kind", `/${index}/${part}/${escapeToken(name)}`, { kind, name, nearest });
      }
    }
  }
}

function checkNamedConnection(
  declared: HandlerDeclaration,
  { connections = {} }: HandlerPlan,
  report: ReportFinding,
): void {
  const connection = findConnectionName(declared);
  if (connection === undefined) return;
  const { key: kind } = declared;
  const settings = own(connections, connection);
  if (settings === undefined) {
    const example = `\`${connection}: { ${kind}: … }\``;
    const nearest = findSuggestions(connection, Object.keys(connections));
    report("unknown-connection", "/connection", { connection, nearest, example });
    return;
  }
  const [actual = ""] = Object.keys(settings);
  if (actual !== kind) report("wrong-connection", "/connection", { connection, actual, expected: kind });
}

/** Reports a reference that names nothing. Returns false if the input lacks it. */
function checkReference(
  { at, text, source, path }: ValueReference,
  tool: DeclaringTool,
  plan: HandlerPlan,
  report: ReportFinding,
): boolean {
  if (source === "context") checkMember(path[0] ?? "", text, at, plan, report);
  if (source !== "input" || findProperty(tool.input.schema, path).schemas.length > 0) return true;
  const siblings = listSiblings(tool.input.schema, path);
  const known = path.length === 1 ? [...siblings, ...Object.keys(tool.spec.bind ?? {})] : siblings;
  report("unknown-input", at, { reference: text, nearest: findSuggestions(path.at(-1) ?? "", known) });
  return false;
}

function checkMember(
  member: string,
  reference: string,
  at: string,
  { context, contextMembers }: HandlerPlan,
  report: ReportFinding,
): void {
  if (context === undefined) report("no-context", at, { reference });
  else if (contextMembers?.includes(member) === false) {
    report("unknown-context", at, { member, nearest: findSuggestions(member, contextMembers) });
  }
}

/** Checks bound values. Those that a declaration does not take are unused, unless it takes them all. */
function checkBind(
  { bind = {} }: ToolSpec,
  plan: HandlerPlan,
  references: readonly ValueReference[] | undefined,
  reportAt: (part: "key" | "value") => ReportFinding,
): void {
  const used = references?.flatMap(({ source, path }) => (source === "bound" ? [path[0]] : []));
  const unknown = (references ?? []).flatMap(({ source, path }) => (source === "input" ? [path[0] ?? ""] : []));
  for (const [name, value] of Object.entries(bind)) {
    const at = `/${escapeToken(name)}`;
    checkMember(value.split(".")[1] ?? "", value, at, plan, reportAt("value"));
    if (used?.includes(name) === false) {
      reportAt("key")("unused-bind", at, { name, nearest: findSuggestions(name, unknown) });
    }
  }
}

function checkUnused(tool: FlatTool, references: readonly ValueReference[], report: ReportFinding): void {
  const used = new Set(references.flatMap(({ source, path }) => (source === "input" ? [path[0]] : [])));
  for (const name of listSiblings(tool.input.schema, [""])) {
    if (!used.has(name)) report("unused-input", `/properties/${escapeToken(name)}`, { name });
  }
}

function textAt(declaration: unknown, at: string): string | undefined {
  const found = parsePointer(at).reduce<unknown>((value, token) => readOwnMember(value, token), declaration);
  return typeof found === "string" ? found : undefined;
}

function checkConnections(
  tools: readonly Pick<FlatTool, "spec">[],
  { connections = {}, locations, missingPeers = [] }: HandlerPlan,
  kinds: HandlerKinds,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const declared = tools.map(({ spec }) => declarationOf(spec));
  const used = new Set(declared.map((each) => each && findConnectionName(each)));
  // User code may use any connection.
  const isComplete = tools.length > 0 && declared.every((each) => each !== undefined);
  for (const [connection, settings] of Object.entries(connections)) {
    const location = own(locations, `/connections/${escapeToken(connection)}`);
    const report: ReportConnection = (make, name, parameters) => {
      diagnostics.push(make(name, location, parameters));
    };
    for (const [kind, each] of Object.entries(settings)) {
      kinds.partsOf(kind).checkConnection?.(connection, each, report);
    }
    const missing = listConnectionPeers(settings, kinds).filter((peer) => missingPeers.includes(peer));
    for (const [install, [name = install]] of groupBy(missing, findPeerPackage)) {
      diagnostics.push(handlerDiagnostics("missing-package", location, { connection, name, package: install }));
    }
    if (isComplete && !used.has(connection)) {
      diagnostics.push(handlerDiagnostics("unused-connection", location, { connection }));
    }
  }
  return diagnostics;
}
