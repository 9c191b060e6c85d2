import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importBuilt } from "./import-built.js";
import { code, table } from "./markdown.js";
import { root } from "./root.js";

const OPEN = "<!-- Written by `pnpm gen` from FAIL_CLOSED_DEFAULTS. -->";
const CLOSE = "<!-- End of what is written. -->";

/** What loosens each field; the values themselves come from the code. */
const LOOSENED_BY = {
  "concurrency.class": "`WRITE_EXCLUSIVE`, `READ_ONLY`",
  "behavior.isReadOnly": "`true`",
  "behavior.isDestructive": "`false`",
  "behavior.isIdempotent": "`true`, `withKey`",
  "behavior.isOpenWorld": "`false`",
  "behavior.requiresPermission": "`false`",
  "behavior.requiresUserInteraction": "nothing; `true` tightens",
  "behavior.interruptBehavior": "nothing; `cancel` is a choice",
  "behavior.abortsSiblingsOnError": "nothing; `true` tightens",
  "visibility.shouldDefer": "nothing; `true` is a choice",
  "visibility.alwaysLoad": "nothing; `true` costs prompt",
  "limits.maxResultSizeChars": "a larger number, `unlimited`",
  "limits.timeoutSeconds": "a larger number, `unlimited`",
  "limits.maxRetries": "more",
};

/** A page with its table of defaults as the code has them. */
export async function defaultsTable(path) {
  const { FAIL_CLOSED_DEFAULTS } = await importBuilt("runtime", "index.js");
  const text = readFileSync(join(root, path), "utf8");
  const [before, rest] = text.split(`${OPEN}\n`);
  const after = rest?.split(`${CLOSE}\n`)[1];
  if (after === undefined) throw new Error(`${path} has lost the marks between which its table of defaults stands.`);
  const values = Object.entries(FAIL_CLOSED_DEFAULTS).flatMap(([group, fields]) =>
    Object.entries(fields).map(([field, value]) => [`${group}.${field}`, value]),
  );
  const rows = values.map(([field, value]) => {
    if (LOOSENED_BY[field] === undefined) throw new Error(`Say in test/gen/defaults-table.js what loosens "${field}".`);
    return [code(field), code(value), LOOSENED_BY[field]];
  });
  if (rows.length < Object.keys(LOOSENED_BY).length) {
    throw new Error("test/gen/defaults-table.js speaks of a field that has no default.");
  }
  rows.push(["an object of `input` with `properties`", "closed", "`additionalProperties: true`"]);
  return `${before}${OPEN}\n${table(["field", "when omitted", "what loosens it"], rows)}\n${CLOSE}\n${after}`;
}
