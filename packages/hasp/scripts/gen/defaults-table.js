import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importBuilt } from "./import-built.js";
import { code, table } from "./markdown.js";
import { root } from "./root.js";

const OPEN = "<!-- Written by `pnpm gen` from the table of fields. -->";
const CLOSE = "<!-- End of what is written. -->";

/** Replaces the table of defaults in a page with the code's own. */
export async function defaultsTable(path) {
  const { FIELD_ENTRIES, isLooser } = await importBuilt("runtime", "index.js");
  const text = readFileSync(join(root, path), "utf8");
  const [before, rest] = text.split(`${OPEN}\n`);
  const after = rest?.split(`${CLOSE}\n`)[1];
  if (after === undefined) throw new Error(`${path} has lost the marks between which its table of defaults stands.`);
  const rows = FIELD_ENTRIES.map(({ path: name, field }) => [
    code(name),
    code(field.strict),
    loosenedBy(field, (value) => isLooser(field, value, field.strict)),
  ]);
  rows.push(["an object of `input` with `properties`", "closed", "`additionalProperties: true`"]);
  return `${before}${OPEN}\n${table(["field", "when omitted", "what loosens it"], rows)}\n${CLOSE}\n${after}`;
}

function loosenedBy(field, loosens) {
  if (field.number !== undefined) return field.unlimited ? "a larger number, `unlimited`" : "a larger number";
  const looser = field.values.filter(loosens);
  if (looser.length > 0) return looser.map(code).join(", ");
  const others = field.values.filter((value) => value !== field.strict).map(code);
  if (field.order !== "choice") return `nothing; ${others.join(", ")} tightens`;
  return `nothing; ${others.join(", ")} is a choice that the rule ${code(field.lintedBy)} looks at`;
}
