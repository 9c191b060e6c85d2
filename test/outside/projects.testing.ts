// Small projects of users, beside the kitchen: without what it has, and with so many tools that files are divided.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outside } from "./outside-folder.testing.js";

type Files = Readonly<Record<string, string>>;

/** Puts the kitchen, which has a spec for everything that an emitter can print, into a folder. */
export function copyKitchen({ root }: Outside, folder: string): void {
  cpSync(join(import.meta.dirname, "kitchen"), join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "package.json"), '{ "type": "module", "private": true }\n');
}

/** Puts the kitchen without its code into a folder, except what specs name: each handler becomes a stub. */
export function copySpecs(outside: Outside, folder: string): void {
  copyKitchen(outside, folder);
  for (const path of ["tools", "main.ts", "types.ts"]) {
    rmSync(join(outside.root, folder, "src", path), { recursive: true });
  }
}

/** Puts what of the kitchen needs no package but those of hasp into a folder: all but its connections. */
export function copyWithoutConnections(outside: Outside, folder: string): void {
  copyKitchen(outside, folder);
  rmSync(join(outside.root, folder, "specs/declared.tools.yaml"));
  const config = join(outside.root, folder, "hasp.config.yaml");
  writeFileSync(config, readFileSync(config, "utf8").replace(/^connections:\n(?: .*\n)+/mu, ""));
}

/** Changes the imports between a project's modules to those of sources. */
export function importSources({ root }: Outside, folder: string): void {
  const config = join(root, folder, "hasp.config.yaml");
  writeFileSync(config, readFileSync(config, "utf8").replace("emit: {", "emit: { importExtension: ts,"));
  const src = join(root, folder, "src");
  for (const name of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    const path = join(src, name);
    if (!name.endsWith(".ts")) continue;
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(?<= from "\..*)\.js(?=";$)/gmu, ".ts"));
  }
}

/** Leaves only some dialects in a project's configuration. */
export function narrowDialects({ root }: Outside, folder: string, dialects: readonly string[]): void {
  const config = join(root, folder, "hasp.config.yaml");
  const text = readFileSync(config, "utf8");
  writeFileSync(config, text.replace(/^dialects:\n(?: .*\n)+/mu, `dialects: [${dialects.join(", ")}]\n`));
}

/** A project without context, toolsets and JSON, with a plugin and with templates of its own. */
export const PLAIN: Files = {
  "package.json": '{ "type": "module", "private": true }\n',
  "hasp.config.yaml": `specs: [specs]
outDir: ./src/hasp
handlers: src/handlers
emit: { importExtension: js, declarations: true, namespaces: tag }
plugins: ["@acme/hasp-plugin", ./plugin.mjs]
findings: [{ rule: acme/needs-owner, severity: off }]
dialects: [acme/chat, house/chat, openai-responses-strict]
connections: { docs: { mcp: { command: [docs-server] } } }
toolsets: { all: { policy: policies/all.yaml }, quiet: { include: [read_page], policy: policies/quiet.yaml } }
`,
  "plugin.mjs": `import { definePlugin } from "hasp/plugin";

export default definePlugin({
  name: "house",
  dialects: [
    {
      id: "house/chat",
      title: "The house's own API.",
      entry: { name: "$name", about: "$description", args: "$input" },
      toolName: { first: "[a-z]", further: "[a-z0-9_]", maxLength: 16 },
    },
  ],
});
`,
  "policies/all.yaml": `hasp: 1
context: { plan: { enum: [free, team] } }
rules:
  - { tool: send_order, when: "context.plan == 'team'", decision: ask }
`,
  "policies/quiet.yaml": "hasp: 1\nmode: unattended\n",
  "hasp-templates/stub/handler.ts": `import { NotExecuted } from "@hasp/runtime";
import type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";

__DOCSTRING__
export const execute: __HANDLER_TYPE__["execute"] = () => {
  throw new NotExecuted("__MESSAGE__");
};
`,
  "hasp-templates/stub/custom-function.ts": `__DOCSTRING__
export const __FUNCTION_NAME__: __HANDLER_TYPE__["__FUNCTION_NAME__"] = () => {
  throw new NotExecuted("__MESSAGE__");
};
`,
  "specs/all.tools.yaml": `hasp: 1
tools:
  - name: send_order
    description: Send one order.
    tags: [orders]
    input: { type: object, required: [id], properties: { id: { type: string } } }
    handler: { acme/queue: { queue: orders } }
  - name: check_order
    description: Check one order.
    input: { type: object, required: [id], properties: { id: { type: string } } }
    output: { type: boolean }
    validate: [{ custom: isKnown }]
  - name: a_name_that_the_house_does_not_take
    description: Take a name that is too long for one list.
    input: { type: object, properties: { x: { type: string } } }
  - name: write_query
    description: Write one query.
    tags: [queries]
    input: { type: string, format: { grammar: regex, definition: "select [a-z]+" } }
  - name: read_page
    description: Read one page.
    input: { type: object, required: [page], properties: { page: { type: integer } } }
    handler: { mcp: { connection: docs, tool: read } }
`,
};

/** A project with nothing but one spec. */
export const BARE: Files = {
  "package.json": '{ "type": "module", "private": true }\n',
  "specs/only.tool.yaml": "hasp: 1\nname: only\ndescription: Do it.\ninput: { type: object, properties: {} }\n",
};

/** A project of so many tools and definitions that files are divided, and in which half of the tools are in no list. */
export function crowdedProject(): Files {
  const count = 700;
  const definition = (index: number): object => ({
    type: "object",
    description: `Part ${index} of a crowd, which is described in as many words as make it worth a constant of its own, and a type.`,
    required: ["id"],
    properties: {
      id: { type: "string", minLength: 1, description: "The id." },
      size: { type: "integer", default: index },
      // Definitions of one module lead to those of another.
      next: index === 0 ? { type: "string" } : { $ref: `#/$defs/${partName((index * 7) % index)}` },
    },
  });
  const parts = Array.from({ length: count }, (_, index) => [partName(index), definition(index)] as const);
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `${partName(index).toLowerCase()}_tool`,
    description: `Take part ${index}.`,
    tags: [index % 2 === 0 ? "even" : "odd"],
    input: {
      type: "object",
      properties: {
        part: { $ref: `shared.json#/$defs/${partName(index)}` },
        other: { $ref: `shared.json#/$defs/${partName((index + 1) % count)}` },
      },
    },
  }));
  return {
    "package.json": '{ "type": "module", "private": true }\n',
    "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\ntoolsets: { half: { include: [{ tag: even }] } }\n",
    "specs/all.tools.json": JSON.stringify({ hasp: 1, tools }),
    "specs/shared.json": JSON.stringify({ $defs: Object.fromEntries(parts) }),
  };
}

/** Names of which more begin alike than one module holds, and one of which is the beginning of others. */
function partName(index: number): string {
  return index === 1 ? "A" : `A${String.fromCharCode(97 + (index % 26))}${index}`;
}
