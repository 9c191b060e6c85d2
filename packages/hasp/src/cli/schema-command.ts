import type { SchemaFile } from "../io/read-schema-file.js";
import { readSchemaFile } from "../io/read-schema-file.js";
import type { Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";

/** Reads the schema that the first word names and hands it on; a file that cannot be read ends the command. */
export async function withSchemaFile(
  { words, folder }: Invocation,
  work: (file: SchemaFile) => Promise<Outcome>,
): Promise<Outcome> {
  const [name = ""] = words;
  const file = await readSchemaFile(folder, name);
  if ("schema" in file) return work(file);
  const { reason, root, sources } = file;
  const diagnostics = reason === undefined ? file.diagnostics : [cliDiagnostics("cannot-read", undefined, { path: name, reason })];
  return { diagnostics, root, sources, couldNotCheck: true };
}
