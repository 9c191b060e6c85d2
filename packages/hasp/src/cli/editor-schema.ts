import { relative, sep } from "node:path";

/** Where an editor finds the format's own schema, seen from a folder of specs. */
export function editorSchemaPath(projectFolder: string, specFolder: string): string {
  const up = relative(specFolder, projectFolder).split(sep).join("/");
  return `${up === "" ? "." : up}/node_modules/hasp/schema/tool-spec.schema.json`;
}
