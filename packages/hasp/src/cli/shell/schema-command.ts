import { flatten, type FlattenResult, type UncheckedSchema } from "@hasp/schema";
import { closeSchema } from "@hasp/schema/vocabulary";
import { hasErrors } from "../../diagnostics/severity.js";
import type { SchemaFile } from "../../host/project/read-schema-file.js";
import { readSchemaFile } from "../../host/project/read-schema-file.js";
import type { Invocation, CommandResult } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";

/** Reads the schema that the first word names and hands it on; a file that cannot be read ends the command. */
export async function withSchemaFile(
  { words, folder }: Invocation,
  work: (file: SchemaFile) => Promise<CommandResult>,
): Promise<CommandResult> {
  const [name = ""] = words;
  const file = await readSchemaFile(folder, name);
  if ("schema" in file) return work(file);
  const { reason, root, sources } = file;
  const diagnostics =
    reason === undefined ? file.diagnostics : [cliDiagnostics("cannot-read", undefined, { path: name, reason })];
  return { diagnostics, root, sources, couldNotCheck: true };
}

/** The schema of a file, flat: the input of a spec also closed, as the compiler closes it; any other as it is. */
export function flatSchemaOf({
  schema,
  isInput,
  options,
}: SchemaFile): Pick<FlattenResult, "schema" | "diagnostics" | "originsOf"> {
  const flat = flatten(schema as UncheckedSchema, options);
  if (!isInput || hasErrors(flat.diagnostics)) return flat;
  const closed = closeSchema(flat.schema, { originsOf: flat.originsOf });
  return { ...closed, diagnostics: [...flat.diagnostics, ...closed.diagnostics] };
}
