import { pathToFileURL } from "node:url";
import { ownFile } from "../../installation/own-package.js";

/** Lets isolated handlers be imported in their processes as they are here: TypeScript through jiti. */
export function offerImporter(): void {
  const importer = pathToFileURL(ownFile("dist/modules/handlers/handler-importer.js"));
  process.env["HASP_HANDLER_IMPORTER"] = importer.href;
}
