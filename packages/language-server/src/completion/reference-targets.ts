import { posix } from "node:path";
import { isObject } from "../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../compiler/src/model/json-pointer.js";
import { ownMember } from "../../../compiler/src/model/own.js";
import { loadSource } from "../../../compiler/src/phases/1-load/index.js";
import { rootOf } from "../symbols/symbol.js";
import { nodeAt } from "../syntax/cursor.js";
import type { Complete } from "./completion.js";

/** Offers targets of a `$ref`: definitions of its own schema and of shared files. */
export const referenceTargets: Complete = ({ path, part, root, project, document, isQuoted }) => {
  if (part !== "value" || path.at(-1) !== "$ref") return [];
  const schema = nodeAt(root, rootOf(path).split("/").slice(1));
  const local = schema?.kind === "map" ? schema.entries.find(({ key }) => key.name === "$defs")?.value : undefined;
  const own = local?.kind === "map" ? local.entries.map(({ key }) => `#/$defs/${escapeToken(key.name)}`) : [];
  const shared = project.sources.flatMap((source) => {
    if (source.role !== "shared" || source.uri === document.uri) return [];
    const definitions = ownMember(loadSource(source, project.cache).value?.value ?? null, "$defs");
    const way = posix.relative(posix.dirname(document.uri), source.uri);
    const file = way.startsWith(".") ? way : `./${way}`;
    return isObject(definitions) ? Object.keys(definitions).map((key) => `${file}#/$defs/${escapeToken(key)}`) : [];
  });
  return [...own, ...shared].map((label) => ({
    label,
    kind: "reference",
    insert: isQuoted ? label : JSON.stringify(label),
  }));
};
