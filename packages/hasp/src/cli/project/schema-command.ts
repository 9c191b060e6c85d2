import { locationIn } from "../../../../compiler/src/diagnostics/location-in.js";
import { flatten, type FlattenResult, type UncheckedSchema } from "@hasp/schema";
import { closeSchema } from "@hasp/schema/vocabulary";
import { hasErrors } from "../../../../compiler/src/diagnostics/severity.js";
import type { SchemaFile } from "../../../../project/src/read/read-schema-file.js";
import { readProjectPlan } from "../../../../project/src/read/read-project.js";
import { readSchemaFile } from "../../../../project/src/read/read-schema-file.js";
import { locateProject } from "./project.js";
import type { Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

/** Reads the schema that the first word names; an unreadable file ends the command. */
export async function withSchemaFile(
  invocation: Invocation,
  work: (file: SchemaFile) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { words, folder } = invocation;
  const [name = ""] = words;
  const { root: project, config } = locateProject(invocation);
  const { value: plan } = await readProjectPlan(project, config === undefined ? {} : { config });
  const file = await readSchemaFile(folder, name, { project, remotes: plan?.remotes ?? new Map() });
  if ("schema" in file) {
    const result = await work(file);
    const unread = file.unread.map((each) => cliDiagnostics("cannot-read", each.location, each));
    return { ...result, diagnostics: [...unread, ...result.diagnostics] };
  }
  const { reason, at, root, sources } = file;
  const diagnostics =
    reason === undefined
      ? file.diagnostics
      : [cliDiagnostics("cannot-read", at && locationIn(name, at), { path: name, reason })];
  return { diagnostics, root, sources, couldNotCheck: true };
}

/** Flattens the schema of a file; closes the input of a spec, as the compiler does. */
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
