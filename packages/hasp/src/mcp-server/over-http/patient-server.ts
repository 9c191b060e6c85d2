import { createServer, type Server } from "node:http";
import { nodeListener } from "./node-requests.js";

/** The time limits for clients, in milliseconds. */
export interface Patience {
  /** To send a whole request, and its headers alone. */
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
  // Longer than proxies and clients keep a connection: the side that closes it must not be the side that receives a call.
  keepAliveTimeout: 75_000,
  stalledMs: 30_000,
};

/** Makes a server that answers web requests. It closes the connections of clients that send or read too slowly. */
export function patientServer(
  answer: (request: Request) => Promise<Response>,
  report: (message: string) => void,
  { stalledMs, ...timeouts }: Patience = PATIENCE,
): Server {
  return createServer(timeouts, nodeListener(answer, report, stalledMs));
}
