/** Configures Ajv as a test oracle: strictly by the specification, and with own properties only. */
export const ajvSettings = {
  strict: false,
  ownProperties: true,
  validateFormats: false,
  validateSchema: false,
  logger: false,
} as const;

/**
 * True for an error of code that Ajv 8.20 generates and that does not run, where it counts which properties were
 * evaluated (`props0 is not defined`, or `props0` is undefined when one is added): there Ajv cannot be the oracle.
 */
export function isAjvsOwnFault(error: unknown): boolean {
  if (error instanceof ReferenceError) return /^\w+ is not defined$/.test(error.message);
  return error instanceof TypeError && error.message.startsWith("Cannot set properties of undefined");
}

/**
 * Rewrites a schema so that Ajv 8.20 validates it correctly: by `{ prefixItems: […], contains: … }` it takes `[]` for
 * valid, but not with `contains` in a branch of `allOf` and its bounds stated.
 */
export function sayAjvsWay(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sayAjvsWay);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: { readonly [keyword: string]: unknown } = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, sayAjvsWay(part)]),
  );
  if (!("prefixItems" in copy && "contains" in copy)) return copy;
  const { contains, minContains = 1, maxContains = 1000, allOf = [], ...rest } = copy;
  return { ...rest, allOf: [...(allOf as readonly unknown[]), { contains, minContains, maxContains }] };
}
