/** Who owns a written file: `hasp` files are rewritten on every build, `user` files are made once. */
export type FileOwner = "hasp" | "user";

/** One file of a build. `path` is relative to the project's root, with `/`. */
export interface OutputFile {
  readonly path: string;
  readonly owner: FileOwner;
  readonly text: string;
}
