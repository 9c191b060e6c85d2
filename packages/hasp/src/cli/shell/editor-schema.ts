import { slashPath } from "../../../../project/src/fs/slash-path.js";

/** Where an editor finds the format's own schema, seen from a folder of specs. */
export function editorSchemaPath(projectFolder: string, specFolder: string): string {
  const up = slashPath(specFolder, projectFolder);
  return `${up === "" ? "." : up}/node_modules/hasp/schema/tool-spec.schema.json`;
}
