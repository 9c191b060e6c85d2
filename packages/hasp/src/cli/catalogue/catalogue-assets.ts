import { readFile } from "node:fs/promises";
import type { CatalogueAssets } from "../../../../catalogue/src/catalogue.js";
import { ownFile } from "../../../../project/src/installation/own-package.js";

/** Reads the program and styles of catalogues, which hasp's build has bundled. */
export async function readCatalogueAssets(): Promise<CatalogueAssets> {
  const [script, style] = await Promise.all(
    ["page.js", "page.css"].map(async (name) => readFile(ownFile(`dist/catalogue/${name}`), "utf8")),
  );
  return { script: script ?? "", style: style ?? "" };
}
