import type { Diagnostic, Found, Location, Position } from "@hasp/base/diagnostics";
import type { JsonObject } from "@hasp/schema";
import type { Connections, LoadedDocument } from "@hasp/compiler/model";
import { isObject } from "@hasp/base/json";

/** A kind of source, named like its file. */
export interface Importer {
  /** The form of the source: a file, a running server or database, or a module that exports schemas. */
  readonly reads: SourceForm;
  read(source: ImportSource): Found<ImportedSource>;
}

export type SourceForm = "file" | "server" | "module" | "database";

export interface ImportSource {
  readonly name: string;
  readonly document: LoadedDocument;
  /** The address from which the document was fetched; `undefined` for a file. */
  readonly address?: string;
  /** Unreadable parts; a tool that contains one is refused. */
  readonly faults?: readonly Diagnostic[];
  /** Every referenced document by path, or the reason why it could not be read. */
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  /** Selects tools by any of their names. Default: all. */
  readonly isWanted?: ((names: readonly string[]) => boolean) | undefined;
  readonly settings?: ImportSettings;
}

export interface ImportSettings {
  readonly prefix?: string | undefined;
  /** True to leave out the outputs of tools. Default: false. */
  readonly withoutOutputs?: boolean;
  /** Replaces the service's address: scheme, host and path prefix. */
  readonly baseUrl?: string | undefined;
  /** Pages of a list that one call reads, if the source shows the pagination. Default: one. */
  readonly maxPages?: number | undefined;
  /** `strict` to follow the letter of OpenAPI 3.0 about `nullable: true` without a `type`, which then means nothing. */
  readonly nullable?: "lenient" | "strict";
  /** The connection's name in the configuration. Default: after the source. */
  readonly connectionName?: string | undefined;
  /** Settings under `connections.<name>.mcp`, for an MCP server. */
  readonly server?: JsonObject | undefined;
}

export type ReadSource =
  | {
      readonly source: ImportSource;
      readonly sources: ReadonlyMap<string, string>;
      readonly unread?: readonly { readonly name: string; readonly reason: string; readonly at?: Position }[];
    }
  | { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, string> }
  /** One sentence without its full stop. */
  | { readonly reason: string; readonly at?: Position };

export interface ImportedTool {
  readonly name: string;
  readonly fileName: string;
  readonly spec: JsonObject;
  /** True if its input accepts anything somewhere, which a reviewer must approve. */
  readonly isOpen: boolean;
  /** Locates the tool in the source; computed on demand. */
  locate(): Location;
}

export function readSourceName({ spec }: ImportedTool): string {
  const { origin } = spec;
  return isObject(origin) ? String(origin["name"]) : "";
}

export interface SharedFile {
  readonly fileName: string;
  readonly content: JsonObject;
}

export interface ImportedConnection {
  readonly name: string;
  /** Settings under `connections.<name>`. */
  readonly settings: Connections[string];
  /** The address that the source states and no build accepts; `settings` have a placeholder. */
  readonly unreachable?: string;
  readonly comments: readonly string[];
  readonly variables: readonly {
    readonly name: string;
    readonly holds: string;
    /** True if the source decides the name, and so which variable its server receives. */
    readonly isOfSource?: true;
  }[];
}

export interface ImportedSource {
  readonly tools: readonly ImportedTool[];
  readonly connections?: readonly ImportedConnection[];
  readonly shared?: SharedFile;
  readonly refused: readonly string[];
}
