import type { Complete } from "./completion.js";
import { valueText } from "./value-text.js";

/** Offers the configured connections where a handler names one. */
export const connectionNames: Complete = (place) => {
  const { path, part, project, role } = place;
  const kind = path.at(-2) ?? "";
  const isConnection = path.at(-1) === "connection" && path.at(-3) === "handler";
  if (role !== "spec" || part !== "value" || !isConnection) return [];
  return Object.entries(project.compiled?.plan.connections ?? {}).flatMap(([label, connection]) =>
    Object.hasOwn(connection, kind) ? [{ label, kind: "value", insert: valueText(label, place) }] : [],
  );
};
