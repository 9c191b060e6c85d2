// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

/**
 * Range of lines
 *
 * The first and the last line, counted from 1, both included.
 */
export interface LineRange {
  /**
   * First line to return.
   *
   * An integer, at least 1.
   */
  readonly first: number;
  /**
   * Last line to return; omit it to read to the end of the file.
   *
   * An integer, at least 1.
   */
  readonly last?: number;
}

/** Rows of a result */
export interface Rows {
  /** One object for each row, keyed by column name. */
  readonly rows: readonly { readonly [key: string]: unknown }[];
  /**
   * Rows that the statement changed.
   *
   * An integer, at least 0.
   */
  readonly affected?: number;
  /** Whether there were more rows than were asked for. */
  readonly truncated: boolean;
}

/** Which database a statement runs in */
export type Scope = "scratch" | "application";

/** Outcome of a write */
export interface Written {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
  /**
   * Size of the file after the write.
   *
   * An integer, at least 0.
   */
  readonly bytes: number;
  /** Whether the file is new. */
  readonly created: boolean;
}
