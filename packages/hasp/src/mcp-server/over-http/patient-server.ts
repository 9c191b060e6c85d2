import { createServer, type Server } from "node:http";
import { nodeListener } from "./node-requests.js";

/** Time limits for clients, in milliseconds. */
export interface Patience {
  /** For a whole request, and for its headers alone. */
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  /** The interval at which both limits are checked. */
  readonly connectionsCheckingInterval: number;
  /** Until the next request on a connection. */
  readonly keepAliveTimeout: number;
  /** Without reading anything of an answer. */
  readonly stalledMs: number;
}

const PATIENCE: Patience = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5000,
  // Longer than proxies and clients keep a connection: if the server closed first, a call could be lost.
  keepAliveTimeout: 75_000,
  stalledMs: 30_000,
};

/** Creates a server for web requests that closes connections of slow clients. */
export function patientServer(
  answer: (request: Request) => Promise<Response>,
  report: (message: string) => void,
  { stalledMs, ...timeouts }: Patience = PATIENCE,
): Server {
  return createServer(timeouts, nodeListener(answer, report, stalledMs));
}
