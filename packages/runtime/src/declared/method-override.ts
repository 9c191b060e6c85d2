/** Headers and parameters by which services take another method for the one that is sent. */
const OVERRIDES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "x_http_method_override",
  "x_http_method",
  "x_method_override",
  "_method",
]);

/** True for a name that may replace the method. Some services take `.method` or ` _method[]` for `_method`. */
export function replacesMethod(name: string): boolean {
  return OVERRIDES.has(
    name
      .toLowerCase()
      .replaceAll(/[^a-z]+/gu, "_")
      .replace(/_$/u, ""),
  );
}
