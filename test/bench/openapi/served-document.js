// A document as an HTTP service can tell its operations apart.
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Lists the operations of a document with the parameters of their paths. */
export function operationsOf(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => [
    ...METHODS.filter((method) => item[method] !== undefined).map((method) => ({ path, method, value: item[method] })),
    ...Object.entries(item.additionalOperations ?? {}).map(([method, value]) => ({ path, method, value })),
  ]);
}

/**
 * Gives documents that together have every operation, each with its placeholders numbered: names and fragments of paths
 * mean nothing in a request, so of operations that differ in nothing else, each is in a document of its own.
 */
export function layersOf(written) {
  const document = withoutPathReferences(written, written);
  const layers = [];
  for (const { path, method, value } of operationsOf(document)) {
    const [withQuery = ""] = path.split("#");
    const [target = "", query = ""] = withQuery.split("?");
    const names = new Map();
    const template = target.replaceAll(/\{([^{}]+)\}/gu, (_placeholder, name) => {
      if (!names.has(name)) names.set(name, `p${names.size}`);
      return `{${names.get(name)}}`;
    });
    const found = new Map();
    for (const written of [...(document.paths[path].parameters ?? []), ...(value.parameters ?? [])]) {
      const parameter = resolved(written, document);
      // "The parameter definition SHALL be ignored" (OpenAPI 3.0.3, Parameter Object).
      if (parameter.in === "header" && /^(?:accept|content-type|authorization)$/iu.test(parameter.name)) continue;
      found.set(`${parameter.in} ${parameter.name}`, parameterOf(parameter, names, document));
    }
    for (const [name, example] of new URLSearchParams(query)) {
      if (!found.has(`query ${name}`)) found.set(`query ${name}`, { in: "query", name, schema: { enum: [example] } });
    }
    const free = layers.find((layer) => layer[template]?.[method] === undefined);
    const layer = free ?? {};
    if (free === undefined) layers.push(layer);
    layer[template] ??= {};
    layer[template][method] = { ...value, parameters: [...found.values()] };
  }
  return layers.map((paths) => ({ ...document, paths }));
}

/**
 * A parameter as it is in a request: text that every branch of a union may read, and never "read-only". The validator
 * takes an absent object for an empty one.
 */
function parameterOf(parameter, names, document) {
  const plain = ({ readOnly: _readOnly, ...schema }) => schema;
  const { oneOf, anyOf = oneOf, ...schema } = plain(resolved(parameter.schema ?? {}, document));
  if (anyOf !== undefined) schema.anyOf = anyOf.map((branch) => plain(resolved(branch, document)));
  if (parameter.style === "deepObject" && parameter.required !== true) delete schema.required;
  return {
    ...parameter,
    ...(parameter.in === "path" && { name: names.get(parameter.name) ?? parameter.name }),
    ...(parameter.schema !== undefined && { schema }),
  };
}

function resolved(value, document) {
  if (value.$ref === undefined) return value;
  const tokens = value.$ref.split("/").slice(1);
  const target = tokens.reduce(
    (found, token) => found?.[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
  return resolved(target ?? {}, document);
}

/** References into paths would lead nowhere once these have other names. */
function withoutPathReferences(value, document) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutPathReferences(item, document));
  if (typeof value.$ref === "string" && value.$ref.startsWith("#/paths/")) {
    return withoutPathReferences(resolved(value, document), document);
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutPathReferences(inner, document)]));
}
