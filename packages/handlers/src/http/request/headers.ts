import { own } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import type { ParameterStyles, ParameterValues } from "./http-request.js";
import { writeHeader } from "./serialize.js";

export type Headers = Record<string, string>;

/** Hop-by-hop headers, and headers that frame a message. */
export const NOT_FOR_PARAMETERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "transfer-encoding",
  "content-length",
  "content-encoding",
  "expect",
  "te",
  "trailer",
  "upgrade",
  "cookie",
]);

export function writeHeaders(values: ParameterValues = {}, styles: ParameterStyles = {}): Headers {
  const headers: Headers = {};
  for (const [name, value] of Object.entries(values)) {
    const text = writeHeader(name, value, own(styles, name));
    if (text === undefined) continue;
    const key = name.toLowerCase();
    if (NOT_FOR_PARAMETERS.has(key)) throw new NotExecuted(`a parameter cannot set the header "${name}"`);
    setHeader(headers, key, text);
  }
  return headers;
}

/** Sets a header. Throws for a name or a value that could end the header or begin another. */
export function setHeader(headers: Headers, name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) throw new NotExecuted(`"${name}" cannot be the name of a header`);
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/u.test(value)) {
    throw new NotExecuted(
      `the value for the header "${name}" has a character that headers cannot contain: a line break, a control character or one beyond Latin-1`,
    );
  }
  headers[name] = value;
}
