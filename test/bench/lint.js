import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { measureProcess, printTable } from "./measure.js";
import { makeToolset } from "./toolset.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");

/**
 * Together 94 MB in 261 packages: too much for every install of this repository, so they are fetched when they are
 * asked for.
 */
const peers = { "@stoplight/spectral-cli": "6.16.3", "@redocly/openapi-core": "2.64.0" };

/** `hasp check`, and two linters of OpenAPI on one document that holds the same tools. */
export default function run() {
  const count = 1000;
  const folder = makeToolset(count);
  const rows = [];
  const add = (name, figure) =>
    rows.push([name, figure.milliseconds.toFixed(0), figure.userMilliseconds.toFixed(0), figure.megabytes.toFixed(0)]);
  // Findings are allowed, failing to check is not.
  const common = { cwd: folder, runs: 3, allowed: [0, 1] };
  add("hasp check, cold", measureProcess([hasp, "check", "--unlocked", "--quiet", "--no-cache"], common));
  add("hasp check, nothing changed", measureProcess([hasp, "check", "--unlocked", "--quiet"], common));

  const home = installPeers();
  if (home === undefined) process.stdout.write("lint: the peers could not be installed, so hasp stands alone.\n");
  else {
    writeFileSync(join(folder, "specs/openapi.yaml"), stringify(openapiOf(folder), { aliasDuplicateObjects: false }));
    writeFileSync(join(folder, "ruleset.yaml"), "extends: spectral:oas\n");
    const spectral = join(home, "node_modules/@stoplight/spectral-cli/dist/index.js");
    add(
      "spectral lint, its OpenAPI rules",
      measureProcess(
        [spectral, "lint", "specs/openapi.yaml", "--ruleset", "ruleset.yaml", "--quiet", "--format", "json"],
        common,
      ),
    );
    const redocly = join(home, "redocly.mjs");
    writeFileSync(redocly, readFileSync(new URL("lint-redocly.mjs", import.meta.url)));
    add("redocly lint, its recommended rules", measureProcess([redocly, "specs/openapi.yaml"], common));
  }
  printTable(
    `linting ${count} tools, for the others as one OpenAPI 3.1 document in YAML`,
    ["", "ms", "user ms", "MB"],
    rows,
  );
}

/** The folder with the peers, installed once and kept; `undefined` where the registry does not answer. */
function installPeers() {
  const home = resolve(import.meta.dirname, "../node_modules/.cache/hasp-bench-linters");
  const manifest = `${JSON.stringify({ private: true, type: "module", dependencies: peers }, undefined, 2)}\n`;
  if (existsSync(join(home, "installed.json")) && readFileSync(join(home, "installed.json"), "utf8") === manifest) {
    return home;
  }
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), manifest);
  process.stdout.write("lint: installing spectral and redocly …\n");
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], {
      cwd: home,
      stdio: "ignore",
      timeout: 300_000,
      shell: process.platform === "win32",
    });
  } catch {
    return undefined;
  }
  writeFileSync(join(home, "installed.json"), manifest);
  return home;
}

/** One operation a tool; its input is a schema of the components, with its own definitions beside it. */
function openapiOf(folder) {
  const paths = {};
  const schemas = {};
  for (const file of readdirSync(join(folder, "specs")).filter((name) => name.endsWith(".tool.yaml"))) {
    const { name, description, input, output } = parse(readFileSync(join(folder, "specs", file), "utf8"));
    const keep = (schema, own) => {
      const { $defs = {}, ...rest } = moved(schema, own);
      schemas[own] = rest;
      for (const [key, definition] of Object.entries($defs)) schemas[`${own}.${key}`] = definition;
      return { $ref: `#/components/schemas/${own}` };
    };
    const answer =
      output === undefined ? {} : { content: { "application/json": { schema: keep(output, `${name}.output`) } } };
    paths[`/${name}`] = {
      post: {
        operationId: name,
        summary: name,
        description,
        tags: ["tools"],
        requestBody: { required: true, content: { "application/json": { schema: keep(input, name) } } },
        responses: { 200: { description: "Done.", ...answer } },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tools",
      version: "1.0.0",
      description: "The tools of a bench.",
      contact: { name: "Us", url: "https://example.com" },
    },
    servers: [{ url: "https://api.example.com" }],
    tags: [{ name: "tools", description: "All of them." }],
    paths,
    components: { schemas },
  };
}

/** A schema whose references inside itself point to where it and its definitions are in the document. */
function moved(value, own) {
  if (Array.isArray(value)) return value.map((item) => moved(item, own));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string" || !item.startsWith("#")) return [key, moved(item, own)];
      return [
        key,
        item.startsWith("#/$defs/")
          ? item.replace("#/$defs/", `#/components/schemas/${own}.`)
          : item.replace("#", `#/components/schemas/${own}`),
      ];
    }),
  );
}
