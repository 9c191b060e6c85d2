import { escapeToken, isObject, type JsonObject, type JsonValue, own, toRecord } from "@hasp/base/json";
import {
  chooseContextType,
  type ConnectionModule,
  type ConnectionSubject,
  type DeclaringTool,
  findProperty,
  findReferencesInTemplate,
  findReferencesInValue,
  type GeneratedModule,
  mayBe,
  type ModuleSubject,
  parseSource,
  printAuth,
  printPlaceholder,
  printValue,
  printValueFunction,
  readLiteral,
  type ReferenceRole,
  type SpecBind,
  splitTemplate,
  type ValueReference,
} from "@hasp/compiler/handlers";
import type { SpecHttp, HttpBodyKind, HttpPlace } from "./http-schema.js";
import { code, type Data, literal, printObjectLiteral } from "@hasp/compiler/code";
import { replacesMethod } from "@hasp/base/declared";
import { findSuggestions } from "@hasp/base/diagnostics";
import { ENTRIES } from "../codegen/entries.js";
import type { ReportKind } from "../findings/kind-diagnostics.js";

/** Lists the values that a request takes from a call, in the order of its parts. */
export function findHttpReferences(declaration: SpecHttp, bind: SpecBind): readonly ValueReference[] {
  const { path, headers = {}, cookies = {}, body } = declaration;
  const kind = findBodyKind(declaration);
  const valuesAt = (values: JsonValue, at: string, role: ReferenceRole): readonly ValueReference[] =>
    findReferencesInValue(values, at, role, bind);
  return [
    ...findReferencesInTemplate(path, "/path", "path", bind),
    ...queryReferences(declaration, bind),
    ...valuesAt(headers, "/headers", "header"),
    ...valuesAt(cookies, "/cookies", "cookie"),
    ...(kind === undefined ? [] : valuesAt(body?.[kind] ?? null, `/body/${kind}`, "body")),
  ];
}

/** Returns the query as a map; a list of names is short for one. */
export function readQuery({ query = {} }: Pick<SpecHttp, "query">): { readonly [name: string]: JsonValue } {
  return isNames(query) ? toRecord(query, (name) => `input.${name}`) : query;
}

function queryReferences(declaration: SpecHttp, bind: SpecBind): readonly ValueReference[] {
  const { query = {} } = declaration;
  if (!isNames(query)) return findReferencesInValue(query, "/query", "query", bind);
  return query.flatMap((name, index) =>
    findReferencesInValue(`input.${name}`, `/query/${index}`, "query", bind).map((each) => ({ ...each, text: name })),
  );
}

function isNames(query: NonNullable<SpecHttp["query"]>): query is readonly string[] {
  return Array.isArray(query);
}

function findBodyKind({ body }: SpecHttp): HttpBodyKind | undefined {
  return (["json", "form", "multipart", "binary"] as const).find((kind) => body?.[kind] !== undefined);
}

export function printHttp(declaration: SpecHttp, { tool, types, connection }: ModuleSubject): GeneratedModule {
  const references = findHttpReferences(declaration, tool.spec.bind ?? {});
  const { method, path, headers = {}, cookies = {}, parameters, result, pagination } = declaration;
  const values = (map: { readonly [name: string]: JsonValue }): Data | undefined =>
    Object.keys(map).length === 0 ? undefined : printValue(map, tool);
  const placeholders = splitTemplate(path).flatMap((part) => ("name" in part ? [part.name] : []));
  const request = {
    path: placeholders.length === 0 ? undefined : toRecord(placeholders, (each) => printPlaceholder(each, tool)),
    query: values(readQuery(declaration)),
    headers: values(headers),
    cookies: values(cookies),
    body: bodyData(declaration, tool),
  };
  const isEmpty = Object.values(request).every((part) => part === undefined);
  const entries = {
    method,
    path,
    request: isEmpty ? undefined : printValueFunction(code`HttpRequest`, literal(request), references),
    styles: parameters as Data | undefined,
    result,
    idempotencyHeader: mayNeedKey(tool) ? "Idempotency-Key" : undefined,
    pagination: pagination as Data | undefined,
  };
  return {
    imports: { [ENTRIES.http]: ["httpHandler", ...(isEmpty ? [] : ["type HttpRequest"])] },
    comment: `${method} ${path} of ${declaration.connection}.`,
    value: code`httpHandler<${types}>(${connection}, ${printObjectLiteral(entries)})`,
  };
}

function bodyData(declaration: SpecHttp, tool: ModuleSubject["tool"]): Data | undefined {
  const kind = findBodyKind(declaration);
  const { body } = declaration;
  if (kind === undefined || body === undefined) return undefined;
  return {
    [kind]: printValue(body[kind] ?? null, tool),
    mediaType: body.mediaType,
    encoding: body.encoding as Data | undefined,
  };
}

/** True if some call may be repeated with the same key. */
function mayNeedKey({ metadata, rules, spec }: ModuleSubject["tool"]): boolean {
  const stated = spec.concurrency?.rules === undefined ? [] : rules;
  return [metadata.behavior, ...stated].some(({ isIdempotent }) => isIdempotent === "withKey");
}

export function printHttpConnection(settings: JsonObject, subject: ConnectionSubject): ConnectionModule {
  const { auth, ...plain } = settings;
  const { data, imports } = printAuth(settings, subject.name, ENTRIES.oauth);
  return {
    from: ENTRIES.http,
    create: "httpConnection",
    type: "HttpConnection",
    argument: chooseContextType(auth, subject),
    settings: printObjectLiteral({ name: subject.name, ...(plain as { [key: string]: Data }), auth: data }),
    imports,
    comment: `The service ${subject.name}.`,
  };
}

export function checkHttp(declaration: SpecHttp, tool: DeclaringTool, report: ReportKind): void {
  checkPath(declaration, tool, report);
  checkHeaders(declaration, report);
  checkBody(declaration, report);
  checkStyles(declaration, report);
}

/** Returns why no request can have this path, or `undefined` if one can. */
export function findPathProblem(path: string): string | undefined {
  const fixed = splitTemplate(path)
    .map((part) => ("text" in part ? part.text : "x"))
    .join("");
  if (/[{}]/u.test(fixed)) return "its braces do not match";
  const leadsElsewhere = fixed.split("/").some((step) => /^(?:\.|%2e){1,2}$/iu.test(step));
  return leadsElsewhere ? 'a step "." or ".." leads elsewhere' : undefined;
}

function checkPath({ path, parameters }: SpecHttp, tool: DeclaringTool, report: ReportKind): void {
  const why = findPathProblem(path);
  if (why !== undefined) report("path-form", "/path", { path, why });
  for (const { text, source, path: members } of findReferencesInTemplate(path, "", "path", tool.spec.bind ?? {})) {
    if (source !== "input") continue;
    const { schemas, isPresent } = findProperty(tool.input.schema, members);
    if (!isPresent) report("path-may-be-absent", "/path", { reference: text });
    const hasStyle = Object.hasOwn(parameters?.path ?? {}, text.slice(1, -1));
    if (!hasStyle && mayBe(schemas, tool.input.schema, ["array", "object"])) {
      report("path-takes-text", "/path", { reference: text });
    }
  }
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

/** Headers that a declaration may not set, each with the reason. */
export const TAKEN_HEADERS: { readonly [name: string]: string } = {
  authorization: "credentials belong to the connection (`auth`)",
  cookie: "cookies belong under `cookies`",
  "content-type": "the body determines it (`mediaType`)",
  "content-length": "the transport computes it",
  "content-encoding": "the transport computes it",
  connection: "the transport sets it",
  expect: "the transport sets it",
  host: "the connection's `baseUrl` says it",
  "keep-alive": "the transport sets it",
  "proxy-authorization": "requests go straight to the service",
  "proxy-connection": "requests go straight to the service",
  te: "the transport sets it",
  trailer: "the transport sets it",
  "transfer-encoding": "the transport sets it",
  upgrade: "the transport sets it",
};

/** Returns why a declaration may not set this header or cookie, or `undefined` if it may. */
export function findHeaderProblem(place: "headers" | "cookies", name: string): string | undefined {
  if (!TOKEN.test(name)) return "it is not the name of a header";
  return place === "headers" ? own(TAKEN_HEADERS, name.toLowerCase()) : undefined;
}

function checkHeaders({ headers = {}, cookies = {} }: SpecHttp, report: ReportKind): void {
  const places = [
    ["headers", headers],
    ["cookies", cookies],
  ] as const;
  for (const [place, values] of places) {
    for (const [name, value] of Object.entries(values)) {
      const at = `/${place}/${escapeToken(name)}`;
      const why = findHeaderProblem(place, name);
      if (why !== undefined) report("header-name", at, { name, why });
      const literal =
        typeof value === "string" && parseSource(value, {}) === undefined ? value : readLiteral(value)?.value;
      if (typeof literal === "string" && /[^\t\u0020-\u007e\u0080-\u00ff]/u.test(literal)) {
        report("header-value", at, { name });
      }
    }
  }
}

function checkBody(declaration: SpecHttp, report: ReportKind): void {
  const { method, body } = declaration;
  const kind = findBodyKind(declaration);
  if (kind === undefined || body === undefined) return;
  if (method === "GET" || method === "HEAD") report("body-of-method", "/body", { method });
  const value = body[kind] ?? null;
  const isReference = typeof value === "string" && parseSource(value, {}) !== undefined;
  const isNamed = kind === "form" || kind === "multipart";
  if (isNamed && !isReference && !isObject(value)) report("body-not-object", `/body/${kind}`, { kind });
  for (const name of isNamed && isObject(value) ? Object.keys(value) : []) {
    if (replacesMethod(name)) report("method-in-body", `/body/${kind}/${escapeToken(name)}`, { name });
  }
  if (!isNamed && body.encoding !== undefined) report("encoding-of-body", "/body/encoding", { kind });
}

/** The styles that a value may have in each place. */
export const STYLES: { readonly [Place in HttpPlace]: readonly string[] } = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  headers: ["simple"],
  cookies: ["form"],
};

function checkStyles(declaration: SpecHttp, report: ReportKind): void {
  const names: { readonly [Place in HttpPlace]: readonly string[] } = {
    path: splitTemplate(declaration.path).flatMap((part) => ("name" in part ? [part.name] : [])),
    query: Object.keys(readQuery(declaration)),
    headers: Object.keys(declaration.headers ?? {}),
    cookies: Object.keys(declaration.cookies ?? {}),
  };
  for (const place of ["path", "query", "headers", "cookies"] as const) {
    for (const [name, { style }] of Object.entries(declaration.parameters?.[place] ?? {})) {
      const at = `/parameters/${place}/${escapeToken(name)}`;
      if (!names[place].includes(name)) {
        report("unknown-parameter", at, { place, name, nearest: findSuggestions(name, names[place]) });
      } else if (style !== undefined && !STYLES[place].includes(style)) {
        report("style-of-place", `${at}/style`, { place, style, allowed: STYLES[place] });
      }
    }
  }
}
