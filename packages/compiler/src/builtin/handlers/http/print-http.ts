import type { JsonObject, JsonValue } from "@hasp/schema";
import type { HttpDeclaration } from "../../../model/handlers/declaration.js";
import { code, type Data, literal, objectLiteral } from "../../../typescript/code.js";
import type { ConnectionModule, ConnectionSubject, GeneratedModule, ModuleSubject } from "../base/handler-kind.js";
import { printAuth, chooseContextType } from "../base/print-connection.js";
import { printPlaceholder, printValue, printValueFunction } from "../base/print-value.js";
import { type Reference, splitTemplate } from "../base/references.js";
import { findBodyKind, readQuery } from "./request-parts.js";

const SUBPATH = "@hasp/handlers/http";

export function printHttp(
  declaration: HttpDeclaration,
  { tool, types, connection }: ModuleSubject,
  references: readonly Reference[],
): GeneratedModule {
  const { method, path, headers = {}, cookies = {}, parameters, result, pagination } = declaration;
  const values = (map: { readonly [name: string]: JsonValue }): Data | undefined =>
    Object.keys(map).length === 0 ? undefined : printValue(map, tool);
  const placeholders = splitTemplate(path).flatMap((part) => ("name" in part ? [part.name] : []));
  const request = {
    path:
      placeholders.length === 0
        ? undefined
        : Object.fromEntries(placeholders.map((each) => [each, printPlaceholder(each, tool)])),
    query: values(readQuery(declaration)),
    headers: values(headers),
    cookies: values(cookies),
    body: bodyData(declaration, tool),
  };
  const isEmpty = Object.values(request).every((part) => part === undefined);
  const entries = {
    method,
    path,
    request: isEmpty ? undefined : printValueFunction(code`(${literal(request)})`, references),
    styles: parameters as Data | undefined,
    result,
    idempotencyHeader: mayNeedKey(tool) ? "Idempotency-Key" : undefined,
    pagination: pagination as Data | undefined,
  };
  return {
    imports: { [SUBPATH]: ["httpHandler"] },
    comment: `${method} ${path} of ${declaration.connection}.`,
    value: code`httpHandler<${types}>(${connection}, ${objectLiteral(entries)})`,
  };
}

function bodyData(declaration: HttpDeclaration, tool: ModuleSubject["tool"]): Data | undefined {
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
  const { data, imports } = printAuth(settings, subject.name);
  return {
    from: SUBPATH,
    create: "httpConnection",
    type: "HttpConnection",
    argument: chooseContextType(auth, subject),
    settings: objectLiteral({ name: subject.name, ...(plain as { [key: string]: Data }), auth: data }),
    imports,
    comment: `The service ${subject.name}.`,
  };
}
