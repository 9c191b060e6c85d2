// Every guide is done here as its reader would do it, in an empty folder: files are written, commands are run, what is
// said to be printed is compared, and all TypeScript is checked. CONTRIBUTING.md says how a guide's blocks are marked.
// UPDATE=1 writes what was printed into the page where something else stands.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { hasp } from "../cli/command-line.js";
import { createDatabases } from "../ask-for.testing.js";
import { installMastra } from "../clients/mastra-package.testing.js";
import { LIBRARY_CHECK } from "../sample.js";
import { createFolder, type GuideFolder } from "./guide-folder.js";
import { blocksOf, commandsOf, isFragment, shows, type Block } from "./guide.js";

const root = resolve(import.meta.dirname, "../..");
const docs = join(root, "packages/hasp/docs");
const guides = [
  "start.md",
  "tools-without-code.md",
  ...readdirSync(join(docs, "guides"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `guides/${name}`),
];

/** The guides to packages that this repository does not install. */
const elsewhere: { readonly [page: string]: () => string | undefined } = { "guides/mastra.md": installMastra };

/** The guide whose reader has a database, with the tables of its first block of SQL. */
const DATABASE_GUIDE = "guides/from-a-database.md";

/** Starts a database with these tables, until the test ends. Gives its address. */
async function startDatabase(tables: string): Promise<string> {
  const server = await createDatabases();
  const client = new Client({ connectionString: server.urls.application });
  await client.connect();
  await client.query(tables);
  await client.end();
  return server.urls.application;
}

describe.each(guides)("%s", (page) => {
  test("does what it says", { timeout: 480_000 }, async ({ skip }) => {
    const project = elsewhere[page]?.();
    if (page in elsewhere && project === undefined) skip("its packages cannot be installed here");
    const text = readFileSync(join(docs, page), "utf8");
    // A reader who installs `ai` without a version gets the newest.
    const ai = /^npm install .* ai@6\b/mu.test(text) ? "ai" : "ai-newest";
    const folder = createFolder(project === undefined ? [] : [join(project, "node_modules/@mastra")], { ai });
    try {
      if (page === DATABASE_GUIDE) {
        const tables = blocksOf(text).find(({ language }) => language === "sql")?.text ?? "";
        folder.environment["DATABASE_URL"] = await startDatabase(tables);
      }
      let printed = "";
      let updated = text;
      for (const block of blocksOf(text)) {
        const place = `${page}:${block.line}`;
        if (block.language === "sh") printed = await run(block, folder, place);
        else if (block.language === "text" && process.env["UPDATE"] === "1" && !shows(block.text, printed)) {
          updated = updated.replace(`\`\`\`text\n${block.text}`, () => `\`\`\`text\n${printed.trim()}\n`);
        } else if (block.language === "text") {
          expect(shows(block.text, printed), `${place}: what is shown is not what was printed:\n${printed}`).toBe(true);
        } else if (block.path === "") {
          expect(
            isInSomeFile(block, folder.root),
            `${place}: a block without a path must be a part of a file of the guide`,
          ).toBe(true);
        } else folder.write(block.path, block.text);
      }
      if (updated !== text) writeFileSync(join(docs, page), updated);
      // A page that needs an option of the compiler says so.
      const options = /^npx tsc (--skipLibCheck)$/mu.exec(text)?.slice(1) ?? [];
      expect(folder.typeErrors(options), `${page}: the type-checker`).toBe("");
    } finally {
      folder.remove();
    }
  });
});

/** Commands of hasp that run no code of the reader's in their own process: they run in this one. */
const IN_THIS_PROCESS =
  /^hasp (?:approve|build|check|ci|diff|eject|import (?:openai|openapi|zod)|init|show) [^|&;<>$`]*$/u;

async function run(block: Block, folder: GuideFolder, place: string): Promise<string> {
  let printed = "";
  for (const { script, code } of commandsOf(block)) {
    if (/^(?:npm|pnpm) (?:install|add) /u.test(script)) {
      expect(missingPackages(script, folder.root), `${place}: packages that no test of ours has`).toEqual([]);
      continue;
    }
    // npx would only be slower to find what is on the path.
    const command = script.replace(/^npx /u, "").replace(/^tsc(?= |$)/u, ["tsc", ...LIBRARY_CHECK].join(" "));
    const done = IN_THIS_PROCESS.test(`${command} `) ? await runHasp(command, folder) : start(command, folder);
    printed = done.printed;
    expect(done.code, `${place}: ${script}\n${printed}`).toBe(code);
  }
  return printed;
}

interface Done {
  readonly code: number | null;
  readonly printed: string;
}

function start(command: string, folder: GuideFolder): Done {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: folder.root,
    env: folder.environment,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, printed: `${stdout}${stderr}` };
}

async function runHasp(command: string, folder: GuideFolder): Promise<Done> {
  // The shell takes the words apart.
  const words = start(`printf '%s\\0' ${command}`, folder).printed.split("\0").slice(1, -1);
  const { code, out, error } = await hasp(folder.root, words, folder.environment);
  return { code, printed: `${out}${error}` };
}

/** Lists the packages that a guide has installed but that its TypeScript cannot be checked with. */
function missingPackages(script: string, folder: string): readonly string[] {
  return script
    .split(/\s+/u)
    .slice(2)
    .map((word) => word.replace(/(?<=.)@\d+$/u, ""))
    .filter(
      (word) =>
        !word.startsWith("-") &&
        ![join(folder, "node_modules"), join(root, "node_modules")].some((modules) => existsSync(join(modules, word))),
    );
}

function isInSomeFile(block: Block, folder: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !entry.parentPath.includes("node_modules") && !entry.parentPath.includes(".git"),
    )
    .some((entry) => isFragment(block.text, readFileSync(join(entry.parentPath, entry.name), "utf8")));
}
