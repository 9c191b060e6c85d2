import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";

export type SourceForm = "file" | "server" | "module" | "database";

export interface ImportSource {
  /** The source's name in specs: that of the file or the server. */
  readonly name: string;
  readonly document: LoadedDocument;
  /** The address from which the document was fetched; `undefined` for a file. */
  readonly address?: string;
  /** Unreadable parts; a tool that contains one is refused. */
  readonly faults?: readonly Diagnostic[];
  /** Every referenced document by path, or the reason why it could not be read. */
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  /** Selects tools by any of their names. Default: all. */
  readonly isWanted?: (names: readonly string[]) => boolean;
  readonly settings?: ImportSettings;
}

interface ImportSettings {
  /** Precedes the name of every tool. Default: nothing. */
  readonly prefix?: string;
  /** Leave out what the tools return. Default: false. */
  readonly withoutOutputs?: boolean;
  /** Replaces the service's address: scheme, host and path prefix. */
  readonly baseUrl?: string;
  /** Pages of a list that one call reads, if the source shows the pagination. Default: one. */
  readonly maxPages?: number;
  /** The connection's name in the configuration. Default: after the source. */
  readonly connectionName?: string;
  /** Settings under `connections.<name>.mcp`, for an MCP server. */
  readonly server?: JsonObject;
}
