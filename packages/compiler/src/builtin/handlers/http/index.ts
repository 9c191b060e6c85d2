import { checkAddress } from "../base/check-address.js";
import { checkHttp } from "./check-http.js";
import type { HandlerKind } from "../base/handler-kind.js";
import { findHttpEffects } from "./effects.js";
import { httpConnectionSchema, httpRequestSchema, httpRespondSchema, httpSchema } from "./http-schema.js";
import { printHttp, printHttpConnection } from "./print-http.js";
import { findHttpReferences } from "./request-parts.js";

export const http: HandlerKind<"http"> = {
  name: "http",
  schema: httpSchema,
  connectionSchema: httpConnectionSchema,
  respond: httpRespondSchema,
  request: httpRequestSchema,
  references: findHttpReferences,
  effects: findHttpEffects,
  check: checkHttp,
  checkConnection: (connection, settings, report) => checkAddress(connection, settings, "baseUrl", report),
  module: (declaration, subject) =>
    printHttp(declaration, subject, findHttpReferences(declaration, subject.tool.spec.bind ?? {})),
  connectionModule: printHttpConnection,
};
