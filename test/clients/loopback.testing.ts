import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { checkDialect } from "../schema/dialect-checker.testing.js";
import { hasShared, readProviders } from "../schema/shared.testing.js";

/** A JSON object as it came over the wire. */
export type Json = { readonly [key: string]: unknown };

/** The API's reason to refuse a request; becomes its 400. */
export class Refused extends Error {}

/** An API on this machine: it answers each request, or refuses it. */
export interface LoopbackApi {
  readonly url: string;
  /** The bodies that it accepted. */
  readonly requests: readonly Json[];
  /** The reasons of the refusals so far. */
  readonly refusals: readonly string[];
}

/**
 * Opens a server until the test is over. `answer` gets the path and the body, and throws {@link Refused} as the API
 * would.
 */
export async function openApi(
  answer: (path: string, body: Json, turn: number) => Json,
  errorBody: (message: string) => Json,
): Promise<LoopbackApi> {
  const requests: Json[] = [];
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const send = (status: number, value: Json): void => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      };
      try {
        const value = answer((request.url ?? "").split("?")[0] ?? "", body, requests.length);
        requests.push(body);
        send(200, value);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        refusals.push(message);
        send(error instanceof Refused ? 400 : 500, errorBody(message));
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, refusals };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Json;
}

/** Throws {@link Refused} with a message. */
export function refuse(message: string): never {
  throw new Refused(message);
}

/** A field that must be an object. */
export function objectOf(value: unknown, where: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(`${where}: must be an object`);
  return value as Json;
}

/** A field that must be a list. */
export function listOf(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(`${where}: must be a list`);
  return value as readonly unknown[];
}

/** Refuses keys that the API does not know. */
export function onlyKnown(value: Json, known: readonly string[], where: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) refuse(`${where}.${key}: Extra inputs are not permitted`);
  }
}

/** Names that are used twice, or that the API's pattern refuses. */
export function checkNames(names: readonly unknown[], pattern: RegExp): void {
  const seen = new Set<unknown>();
  for (const name of names) {
    if (typeof name !== "string" || !pattern.test(name)) {
      refuse(`tools: ${JSON.stringify(name)} does not match ${pattern.source}`);
    }
    if (seen.has(name)) refuse(`tools: Tool names must be unique: ${name}`);
    seen.add(name);
  }
}

/**
 * Words of JSON Schema 2020-12 that the facts do not count one by one: without strict mode, all of its words are taken.
 */
const NOT_COUNTED = ["contentMediaType (not listed)", "contentEncoding (not listed)"];

/** Refuses a schema that the dialect does not take: by the independent checker and the facts about providers. */
export function checkSchema(schema: unknown, dialect: string, where: string): void {
  const facts = hasShared ? readProviders()[dialect] : undefined;
  const found = facts === undefined ? [] : checkDialect(schema, facts);
  const violation = found.find(({ rule }) => dialect.endsWith("-strict") || !NOT_COUNTED.includes(rule));
  if (violation !== undefined) refuse(`${where}${violation.pointer}: ${violation.rule}`);
}
