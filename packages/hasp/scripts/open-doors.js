import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findDoor } from "./packages.js";

const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from "([^"]+)";/gmu;

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
  return {
    name: "open-doors",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.ts$/, code: /"@hasp\// },
      handler: (code) =>
        code.replaceAll(STATEMENT, (statement, word, isType, names, specifier) => {
          const door = isType === undefined ? findDoor(specifier) : undefined;
          if (door === undefined) return statement;
          return parseNames(names)
            .map(({ name, as }) => {
              const { path, name: own } = find(door, name);
              return `${word} { ${own} as ${as} } from ${JSON.stringify(path)};`;
            })
            .join(" ");
        }),
    },
  };
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
