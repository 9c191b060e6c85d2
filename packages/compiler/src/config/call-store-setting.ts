/** The location of a call store: a folder, or a Postgres database whose address an environment variable holds. */
export type CallStoreSetting = { readonly files: string } | { readonly postgres: { readonly env: string } };

/** The setting that a word of the command line names, such as `files=.hasp/calls` or `postgres=DATABASE_URL`. */
export function callStoreSetting(word: string): CallStoreSetting | undefined {
  const [, kind = "", value = ""] = /^([a-z]+)=(.+)$/su.exec(word) ?? [];
  if (kind === "files") return { files: value };
  return kind === "postgres" && /^[A-Za-z_][A-Za-z0-9_]*$/u.test(value) ? { postgres: { env: value } } : undefined;
}
