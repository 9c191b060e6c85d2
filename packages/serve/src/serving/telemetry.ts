import { isStructured } from "@hasp/base/json";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DispatcherOptions } from "@hasp/runtime";
import { messageOf, withTimeout } from "@hasp/runtime/internal";

export interface Telemetry {
  /** Adds a span and metrics for each call to the options of a dispatcher. */
  observe(options: Observed): Observed;
  /** Sends the rest; returns the reason if that fails. */
  close(): Promise<string | undefined>;
}

/** The package that a variable asks for. */
interface MissingPackage {
  readonly name: string;
  readonly variable: string;
}

export type Observed = Pick<DispatcherOptions, "onEvent" | "callTracker">;

type NodeSdk = new (options: { readonly serviceName?: string }) => { start(): void; shutdown(): Promise<void> };

const EXPORTERS = ["OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER"];
const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];
const SDK = "@opentelemetry/sdk-node";
/** The most time for the last data: an unreachable collector must not keep a server from ending. */
const LONGEST_FLUSH_MS = 5000;

/** Returns the standard variable that asks for telemetry, if one does. */
function findTelemetryVariable(environment: NodeJS.ProcessEnv): string | undefined {
  if (environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return undefined;
  return (
    EXPORTERS.find((name) => !["", "none"].includes(environment[name] ?? "")) ??
    ENDPOINTS.find((name) => (environment[name] ?? "") !== "")
  );
}

/**
 * Starts the project's own OpenTelemetry SDK, which reads the standard variables, unless one was started before
 * (`--import`). Returns the package that is missing, or `undefined` if no variable asks for telemetry.
 */
export async function startTelemetry(
  root: string,
  environment: NodeJS.ProcessEnv,
  serviceName: string,
  toolset: string | undefined,
): Promise<Telemetry | MissingPackage | undefined> {
  const variable = findTelemetryVariable(environment);
  if (variable === undefined) return undefined;
  const adapter = await import("@hasp/adapters/otel").catch(() => undefined);
  if (adapter === undefined) return { name: "@opentelemetry/api", variable };
  const isNamed = "OTEL_SERVICE_NAME" in environment || "OTEL_RESOURCE_ATTRIBUTES" in environment;
  const Sdk = isStarted() ? undefined : await findSdk(root);
  if (Sdk === undefined && !isStarted()) return { name: SDK, variable };
  const sdk = Sdk && new Sdk(isNamed ? {} : { serviceName });
  sdk?.start();
  return {
    observe: (options) => {
      const attributes = toolset === undefined ? {} : { "hasp.toolset": toolset };
      const { onEvent, callTracker } = adapter.withTelemetry({ tools: [], ...options }, { attributes });
      return { onEvent, callTracker };
    },
    close: async () => {
      try {
        await withTimeout(sdk?.shutdown() ?? Promise.resolve(), { milliseconds: LONGEST_FLUSH_MS });
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
}

/** True if a provider of spans is registered where all copies of the API look. */
function isStarted(): boolean {
  const shared: unknown = Reflect.get(globalThis, Symbol.for("opentelemetry.js.api.1"));
  return isStructured(shared) && "trace" in shared;
}

async function findSdk(root: string): Promise<NodeSdk | undefined> {
  let path: string;
  try {
    path = createRequire(join(root, "package.json")).resolve(SDK);
  } catch {
    return undefined;
  }
  return ((await import(pathToFileURL(path).href)) as { readonly NodeSDK: NodeSdk }).NodeSDK;
}
