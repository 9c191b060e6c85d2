import type { MergeConflict, Side } from "../importers/specs/merge-import.js";
import type { ReadSession } from "@hasp/project/session";

/** Patterns by property: of the names of tools under `tool`, and of what else selects them in a source. */
export interface ToolConditions {
  readonly [property: string]: readonly string[] | undefined;
}

export interface ImportOptions extends ImportWriteOptions {
  readonly out?: string;
  readonly only?: ToolConditions;
  readonly except?: ToolConditions;
  readonly prefix?: string;
  readonly outputs: boolean;
  readonly maxPages?: number;
  readonly nullable?: "lenient" | "strict";
  /** An MCP server: its address, or the command that starts it. */
  readonly server?: string | undefined;
  /** The address of the service that an OpenAPI document describes. */
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly connection?: string;
  readonly schema?: readonly string[];
  readonly writes?: boolean;
  readonly timeout: number;
  readonly handlers?: boolean;
}

/** The source to import, and what of it. */
export interface ImportRequest {
  readonly session: ReadSession;
  /** The folder in which the command line names files. */
  readonly folder: string;
  /** An importer of hasp's, or of a plugin. */
  readonly kind: string;
  /** The source, if it has a name of its own. */
  readonly named: string | undefined;
  readonly options: ImportOptions;
  /** Called before a source is read. */
  readonly onReading: (what: string) => void;
  readonly ask: AskAboutConflicts | undefined;
}

/** Asks a person about the conflicts of a file; answers by pointer. */
export type AskAboutConflicts = (
  path: string,
  conflicts: readonly MergeConflict[],
) => Promise<ReadonlyMap<string, Side>>;

export interface ImportWriteOptions {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
  readonly prefer?: Side;
}
