import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findDoor } from "./packages.js";

const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from "([^"]+)";/gmu;

/** Begins the name of a module made here, which passes on what one module takes of an entry on demand. */
const ON_DEMAND = "\0on-demand:";

/**
 * A plugin for the bundler that links each name of a private package to the module that declares it. A bundler loads all
 * that an entry leads to, so a command would load a whole package for one function of it.
 */
export function openDoors() {
  const declared = new Map();
  /** Finds the module that declares a name of an entry. */
  const find = (path, name) => {
    if (!declared.has(path)) declared.set(path, readDeclarations(path));
    const link = declared.get(path).get(name);
    return link === undefined ? { path, name } : find(link.path, link.name);
  };
  const passOn = (word, door, names) =>
    names
      .map(({ name, as }) => {
        const { path, name: own } = find(door, name);
        return `${word} { ${own} as ${as} } from ${JSON.stringify(path)};`;
      })
      .join(" ");
  return {
    name: "open-doors",
    resolveId: { filter: { id: /^\0on-demand:/ }, handler: (id) => id },
    load: {
      filter: { id: /^\0on-demand:/ },
      handler: (id) => {
        const [door, names] = id.slice(ON_DEMAND.length).split("?");
        return passOn("export", door, parseNames(names));
      },
    },
    transform: {
      filter: { id: /[\\/]src[\\/].*\.ts$/, code: /"@hasp\// },
      handler(code) {
        return linkOnDemand(code, this.parse(code, { lang: "ts" })).replaceAll(
          STATEMENT,
          (statement, word, isType, names, specifier) => {
            const door = isType === undefined ? findDoor(specifier) : undefined;
            return door === undefined ? statement : passOn(word, door, parseNames(names));
          },
        );
      },
    },
  };
}

/** Replaces each entry that loads on demand by a module that has only the names which are taken of it. */
function linkOnDemand(code, program) {
  const edits = [];
  visit(program, []);
  return edits.reduceRight(
    (text, { start, end, id }) => text.slice(0, start) + JSON.stringify(id) + text.slice(end),
    code,
  );

  function visit(node, parents) {
    if (node.type === "ImportExpression" && node.source.type === "Literal") {
      const door = findDoor(node.source.value);
      const names = door === undefined ? undefined : namesTaken(node, parents);
      if (names !== undefined) edits.push({ ...node.source, id: `${ON_DEMAND}${door}?${names.toSorted().join(",")}` });
    }
    for (const child of Object.values(node).flat()) {
      if (typeof child?.type === "string") visit(child, [node, ...parents]);
    }
  }
}

/** Lists the names that `{ a } = await import("x")` or `(await import("x")).a` takes; `undefined` if it takes the whole. */
function namesTaken(node, [parent, ...others]) {
  if (parent?.type === "ArrayExpression") {
    // [{ a }, { b }] = await Promise.all([import("x"), import("y")])
    const [call, awaited, variable] = others;
    if (call?.type !== "CallExpression" || awaited?.type !== "AwaitExpression") return undefined;
    const pattern =
      variable?.type === "VariableDeclarator" && variable.id.type === "ArrayPattern" ? variable.id : undefined;
    return namesIn(pattern?.elements[parent.elements.indexOf(node)]);
  }
  if (parent?.type !== "AwaitExpression") return undefined;
  const user = others[0]?.type === "ParenthesizedExpression" ? others[1] : others[0];
  if (user?.type === "MemberExpression") return user.computed ? undefined : [user.property.name];
  return user?.type === "VariableDeclarator" ? namesIn(user.id) : undefined;
}

function namesIn(pattern) {
  if (pattern?.type !== "ObjectPattern") return undefined;
  return pattern.properties.every((property) => property.type === "Property" && !property.computed)
    ? pattern.properties.map(({ key }) => key.name)
    : undefined;
}

/** Reads which names a module passes on, and from where: from its own package, or from an entry of another. */
function readDeclarations(path) {
  const links = new Map();
  for (const [, word, isType, names, specifier] of readFileSync(path, "utf8").matchAll(STATEMENT)) {
    if (isType !== undefined || word !== "export") continue;
    const target = specifier.startsWith(".")
      ? resolve(dirname(path), specifier).replace(/\.js$/u, ".ts")
      : findDoor(specifier);
    if (target === undefined) continue;
    for (const { name, as } of parseNames(names)) links.set(as, { path: target, name });
  }
  return links;
}

function parseNames(list) {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => {
      const [name, as = name] = each.split(" as ");
      return { name, as };
    });
}
