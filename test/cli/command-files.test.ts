import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put } from "./command-line.js";

const reads = "concurrency: { class: READ_ONLY }\n";
const command = (words: string, more = ""): string => `${reads}handler: { command: { argv: [${words}]${more} } }\n`;
const TOOLS = {
  script: command('node, scripts/count.mjs, "{id}"'),
  there: command('node, count.mjs, "{id}"', ", cwd: scripts"),
  program: command('./bin/run.sh, "{id}"'),
  option: command('node, "--import=./scripts/hook.mjs", -p, "1"'),
  loaded: command("node, scripts"),
  behind: command('env, A=b, timeout, "5", python3, scripts/count.py, "{id}"'),
  server: `${reads}handler: { mcp: { connection: local, tool: count } }\n`,
  data: command("cat, scripts/count.mjs"),
  built: command("node, dist/main.js"),
} as const;
const FILES = {
  "scripts/count.mjs": 'import "./lib.mjs";\n',
  "scripts/lib.mjs": "export {};\n",
  "scripts/hook.mjs": "export {};\n",
  "scripts/index.js": "1;\n",
  "scripts/count.py": "print(1)\n",
  "scripts/server.mjs": "export {};\n",
  "bin/run.sh": "echo\n",
  "dist/main.js": "1;\n",
};

test("an approval of a declared command covers the files of the repository that it runs", async () => {
  const folder = project({
    ...FILES,
    ".gitignore": "dist/\n",
    "hasp.config.yaml":
      "specs: [specs]\ndialects: [anthropic]\nconnections: { local: { mcp: { command: [node, scripts/server.mjs] } } }\n",
    ...Object.fromEntries(
      Object.entries(TOOLS).map(([name, more]) => [`specs/${name}.tool.yaml`, minimalSpec(name, more)]),
    ),
  });
  execFileSync("git", ["init", "-q"], { cwd: folder });
  await hasp(folder, ["approve", "*", "--yes", "--reason", "They count."]);
  const findStale = async (): Promise<readonly unknown[]> =>
    (await haspJson(folder, ["check"])).diagnostics.flatMap(({ code, tool, message }) => {
      if (code === "ledger/stale") expect(message).toContain("a file that the command names, or one that it imports");
      return code.startsWith("ledger/") ? [tool] : [];
    });
  expect(await findStale()).toEqual([]);

  const stale: Record<string, readonly unknown[]> = {};
  for (const path of Object.keys(FILES)) {
    const text = readFileSync(join(folder, path), "utf8");
    put(folder, { [path]: `${text}\n2;\n` });
    stale[path] = await findStale();
    put(folder, { [path]: text });
  }
  expect(stale).toEqual({
    "scripts/count.mjs": ["script", "there"],
    "scripts/lib.mjs": ["script", "there"],
    "scripts/hook.mjs": ["option"],
    "scripts/index.js": ["loaded"],
    "scripts/count.py": ["behind"],
    "scripts/server.mjs": ["server"],
    "bin/run.sh": ["program"],
    // Git ignores it: it exists on this machine only.
    "dist/main.js": [],
  });
});
