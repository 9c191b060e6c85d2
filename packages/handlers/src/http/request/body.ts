import { NotExecuted } from "@hasp/runtime";
import { readBytes, type WrittenBody } from "./bytes.js";
import { writeMultipart } from "./multipart.js";
import type { HttpBody, ParameterValues } from "./http-request.js";
import { distinctPairs, joinPairs } from "./target.js";

/** Encodes the body; `undefined` if there is none. */
export function writeBody(body: HttpBody | undefined): WrittenBody | undefined {
  if (body === undefined) return undefined;
  const { mediaType } = body;
  if ("json" in body) {
    if (body.json === undefined) return undefined;
    return { bytes: Buffer.from(JSON.stringify(body.json)), mediaType: mediaType ?? "application/json" };
  }
  if ("binary" in body) {
    if (body.binary === undefined) return undefined;
    const { bytes, isText } = readBytes(body.binary, "body");
    return { bytes, mediaType: mediaType ?? (isText ? "text/plain; charset=utf-8" : "application/octet-stream") };
  }
  if ("form" in body) {
    if (body.form === undefined) return undefined;
    const text = joinPairs(distinctPairs("form", properties(body.form), body.encoding), "&");
    return { bytes: Buffer.from(text), mediaType: mediaType ?? "application/x-www-form-urlencoded" };
  }
  return body.multipart === undefined ? undefined : writeMultipart(properties(body.multipart), body.encoding);
}

function properties(value: unknown): ParameterValues {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new NotExecuted("the body must be an object");
  }
  return value as ParameterValues;
}
