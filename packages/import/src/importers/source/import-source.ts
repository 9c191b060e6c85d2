import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";

/** The form in which a source is found. */
export type SourceForm = "file" | "server" | "module" | "database";

/** A source as an importer receives it: read and parsed. */
export interface ImportSource {
  /** The name that specs use for it: that of the file or the server. */
  readonly name: string;
  readonly document: LoadedDocument;
  /** The address from which the document was fetched; `undefined` for a file. */
  readonly address?: string;
  /** Parts of the document that could not be read; a tool that contains one of these is rejected. */
  readonly faults?: readonly Diagnostic[];
  /** Every document that the source refers to, by path; a string holds the reason why one could not be read. */
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  /** Selects tools, by any of their names. If omitted, all are imported. */
  readonly isWanted?: (names: readonly string[]) => boolean;
  readonly settings?: ImportSettings;
}

/** The user's settings for an import. */
interface ImportSettings {
  /** Precedes the name of every tool. Default: nothing. */
  readonly prefix?: string;
  /** True to leave out what the tools return. Default: false. */
  readonly withoutOutputs?: boolean;
  /** Takes the place of the service's address in the source: scheme, host and path prefix. */
  readonly baseUrl?: string;
  /**
   * The number of pages of a list that one call reads, where the source shows how pages follow each other. Default:
   * one.
   */
  readonly maxPages?: number;
  /** The name of the connection in the configuration. Default: after the source. */
  readonly connectionName?: string;
  /** Only for an MCP server: the way in which calls reach it, as `connections.<name>.mcp` states it. */
  readonly server?: JsonObject;
}
