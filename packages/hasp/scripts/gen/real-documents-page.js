import { readFileSync } from "node:fs";
import { join } from "node:path";
import { page, table } from "./markdown.js";
import { root } from "./root.js";

/** Prints the bench's results for real OpenAPI documents. */
export function realDocumentsPage() {
  const results = JSON.parse(readFileSync(join(root, "test/bench/openapi/results.json"), "utf8"));
  return page(
    "# Real documents",
    "How much of well-known APIs works without code. `pnpm bench openapi` imports each document, builds it, and calls every operation " +
      "through hasp with generated inputs, on a service that the document itself describes and that refuses whatever does not conform. " +
      "This page is printed from its results. [From OpenAPI](../guides/from-openapi.md) is the guide.",
    table(
      ["document", "operations", "imported", "called", "accepted", "why not all"],
      results.map(({ document, operations, carried, called, accepted, why }) => [
        document,
        operations,
        carried,
        called,
        accepted,
        why ?? "",
      ]),
    ),
  );
}
