import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasp, project, put, startHasp, tree } from "./command-line.js";

const SPEC = `# yaml-language-server: $schema=spec.json
hasp: 1
name: greet
description: Greet somebody. Use it to say hello. Do not use it to part.
input:
  type: object
  required: [whom, tenant]
  properties:
    tenant: { type: string } # the host says which
    whom: { type: string, maxLength: 20, description: Who is greeted. }
    times: { type: integer, minimum: 1, description: How often. }
# what is run
handler: { command: { argv: [node, greet.mjs, --, "{whom}", "{tenant}", "times={times}"], stdout: lines } }
bind: { tenant: context.user.tenant }
tests:
  - { input: { whom: Ann }, expect: { valid: true, output: [hello] }, respond: { stdout: hello } }
  - { input: { whom: Ann }, expect: { request: { argv: [] } }, respond: { stdout: hello } }
  - { input: {}, expect: { invalid: /whom } }
`;

function greeting(): string {
  const folder = project({
    "package.json": '{ "type": "module" }',
    "hasp.config.yaml": `context: ./src/context.ts#Context
dialects: [mcp]
connections: { app: { http: { baseUrl: "https://api.example.com" } } }
`,
    "greet.mjs": "console.log(process.argv.slice(2).join('\\n'));\n",
    "src/context.ts": `export interface Context { readonly user: { readonly tenant?: string } }
export const createContext = (): Context => ({ user: { tenant: "acme" } });
`,
    "specs/greet.tool.yaml": SPEC,
    "tsconfig.json": JSON.stringify({
      extends: fileURLToPath(new URL("../../tsconfig.base.json", import.meta.url)),
      compilerOptions: { noEmit: true, composite: false, incremental: false },
      include: ["src"],
    }),
  });
  put(join(folder, "node_modules/@hasp"), { "README.md": "" });
  const installed = { runtime: "@hasp/runtime", handlers: "@hasp/handlers/http" };
  for (const [name, entry] of Object.entries(installed)) {
    const [found] = fileURLToPath(import.meta.resolve(entry)).split(/(?<=packages\/\w+)\//u);
    symlinkSync(found ?? entry, join(folder, "node_modules/@hasp", name));
  }
  return folder;
}

const answer = (folder: string): unknown => {
  const words = ["call", "greet", '{"whom":"Ann","times":2}', "--allow", "--format", "json"];
  const run = JSON.parse(startHasp(folder, words).out) as {
    readonly call: { readonly result: { readonly output: unknown } };
  };
  return run.call.result.output;
};
const typeErrors = (folder: string): string => {
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  return spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" }).stdout;
};

test("an ejected handler builds, fits its types and answers the same", async () => {
  const folder = greeting();
  expect((await hasp(folder, ["build"])).code).toBe(0);
  expect(typeErrors(folder)).toBe("");
  const before = answer(folder);
  expect(before).toEqual(["--", "Ann", "acme", "times=2"]);

  const run = await hasp(folder, ["eject", "greet"]);
  expect(run.out).toContain("Wrote src/tools/greet.ts: it is yours from now on.");
  expect(run.out).toMatch(/\n\nNext: hasp build\n$/u);
  expect(readFileSync(join(folder, "specs/greet.tool.yaml"), "utf8")).toBe(`# yaml-language-server: $schema=spec.json
hasp: 1
name: greet
description: Greet somebody. Use it to say hello. Do not use it to part.
input:
  type: object
  required: [whom]
  properties:
    whom: { type: string, maxLength: 20, description: Who is greeted. }
    times: { type: integer, minimum: 1, description: How often. }
# what is run
tests:
  - { input: { whom: Ann }, expect: { valid: true } }
  - { input: {}, expect: { invalid: /whom } }
needs: { context: ["user.tenant"] }
`);
  expect(readFileSync(join(folder, "src/tools/greet.ts"), "utf8")).toMatch(
    /^import \{ argument, commandHandler \} from "@hasp\/handlers\/command";\n(?:.*\n)*export const execute: GreetHandler\["execute"\] = commandHandler</u,
  );

  expect((await hasp(folder, ["build"])).code).toBe(0);
  expect(typeErrors(folder)).toBe("");
  expect(answer(folder)).toEqual(before);
  const files = Object.keys(tree(folder)).filter((path) => path.startsWith("src/"));
  expect(files).not.toContain("src/generated/handlers/greet.ts");
  expect(files).toContain("src/generated/connections/app.ts");
});

test("nothing is written over a file, for a handler of one's own, or for a tool that is not there", async () => {
  const folder = greeting();
  const findings = async (...words: readonly string[]): Promise<string> => (await hasp(folder, words)).out;
  put(folder, { "src/tools/greet.ts": "// mine\n" });
  const before = tree(folder);
  expect(await findings("eject", "greet")).toContain("cli/file-exists");
  expect(await findings("eject", "great")).toContain('There is no tool "great". Did you mean "greet"?');
  expect(tree(folder)).toEqual(before);
  put(folder, {
    "specs/own.tool.yaml": "hasp: 1\nname: own\ndescription: Mine.\ninput: { type: object, properties: {} }\n",
  });
  expect(await findings("eject", "own")).toContain("the handler is your own already");
});

test("an old handler beside a declaration is reported and kept", async () => {
  const folder = greeting();
  put(folder, { "specs/greet.tool.yaml": SPEC.replace(/^handler:.*\nbind:.*\n/mu, "") });
  await hasp(folder, ["build"]);
  const stub = readFileSync(join(folder, "src/tools/greet.ts"), "utf8");
  put(folder, { "specs/greet.tool.yaml": SPEC });
  const run = await hasp(folder, ["build"]);
  expect([run.code, run.out]).toEqual([0, expect.stringContaining('"src/tools/greet.ts" is never run')]);
  expect(readFileSync(join(folder, "src/tools/greet.ts"), "utf8")).toBe(stub);
});

test("ejecting does not show models what `bind` hides", async () => {
  const folder = greeting();
  const shared = "$defs: { Tenant: { type: object, properties: { tenant: { type: string, description: Whose. } } } }\n";
  const spec = SPEC.replace("  type: object\n", '  type: object\n  allOf: [{ $ref: "common.yaml#/$defs/Tenant" }]\n');
  put(folder, { "specs/common.yaml": shared, "specs/greet.tool.yaml": spec });
  const before = tree(folder);
  expect((await hasp(folder, ["eject", "greet"])).out).toContain("models would see what it hides");
  expect(tree(folder)).toEqual(before);
});

test("all that `bind` hides leaves the required names", async () => {
  const folder = greeting();
  const spec = SPEC.replace("required: [whom, tenant]", "required: [tenant, host, whom]")
    .replace("  properties:\n", "  properties:\n    host: { type: string }\n")
    .replace('"{tenant}"', '"{tenant}", "{host}"')
    .replace("tenant }", "tenant, host: context.user.tenant }");
  put(folder, { "specs/greet.tool.yaml": spec });
  expect((await hasp(folder, ["eject", "greet"])).out).toContain("Wrote src/tools/greet.ts");
  expect(readFileSync(join(folder, "specs/greet.tool.yaml"), "utf8")).toContain("  required: [whom]\n");
});
