import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseSource } from "@hasp/compiler/source";
import { readProject, readStoredRemote, locateStoredRemote } from "@hasp/project/read";
import { fetchRemote } from "@hasp/import/fetch";

const SPEC = "hasp: 1\nname: a\ndescription: A.\ninput: { properties: { x: { $ref: ./common/x.yaml } } }\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-project-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: { readonly [path: string]: string | Uint8Array }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const sourcesOf = async (): Promise<readonly string[]> =>
  (await readProject(folder)).sources.map(
    ({ uri, role, unreadable }) => `${role} ${uri}${unreadable === undefined ? "" : ` (${unreadable})`}`,
  );

const codesOf = async (options?: Parameters<typeof readProject>[1]): Promise<readonly string[]> => {
  const { diagnostics, plan } = await readProject(folder, options);
  expect(plan === undefined).toBe(diagnostics.length > 0);
  return diagnostics.map(({ code }) => code);
};

describe("what belongs to a project", () => {
  test("specs, what they refer to through any number of files, and the ledger", async () => {
    write({
      "specs/a.tool.yaml": SPEC,
      "specs/common/x.yaml": "$ref: ./y.json#/A",
      "specs/common/y.json": `{ "A": { "$ref": "../z.yaml" } }`,
      "specs/z.yaml": "type: string",
      "specs/unused.yaml": "type: string",
      "hasp-ledger/a.yaml": "approved: []",
    });
    expect(await sourcesOf()).toEqual([
      "spec specs/a.tool.yaml",
      "shared specs/common/x.yaml",
      "shared specs/common/y.json",
      "shared specs/z.yaml",
      "ledger hasp-ledger/a.yaml",
    ]);
  });

  test.each([
    ["a/b.yaml", SPEC],
    ["a/b.json", '{ "hasp": 1, "name": "b" }'],
    ["a/b.yml", '# A comment.\n"hasp": 1\n'],
  ])("%s, which is meant as a spec and not called like one, is refused", async (path, text) => {
    write({ "a/a.tool.yaml": SPEC, [path]: text });
    expect(await codesOf()).toEqual(["project/spec-misnamed"]);
  });

  test("a shared file beside a spec may speak of hasp", async () => {
    write({
      "a.tool.yaml": SPEC,
      "x.yaml": "a:\n  hasp: 1\nhasps: 1\n",
      "package.json": '{\n  "a": { "hasp": "1" }\n}',
    });
    expect(await codesOf()).toEqual([]);
  });

  test("neither installed packages nor generated files", async () => {
    write({ "a.tool.yaml": SPEC, "node_modules/p/b.tool.yaml": SPEC, "src/generated/c.tool.yaml": SPEC });
    expect(await sourcesOf()).toEqual(["spec a.tool.yaml"]);
  });

  test("folders, files and globs that the configuration names", async () => {
    write({
      "hasp.config.yaml": "specs: [one, two/b.tool.json, 'packages/*/specs']",
      "one/deep/a.tool.yml": SPEC,
      "two/b.tool.json": "{}",
      "two/c.tool.json": "{}",
      "packages/p/specs/d.tools.yaml": "hasp: 1",
      "packages/p/e.tool.yaml": SPEC,
    });
    expect(await sourcesOf()).toEqual([
      "spec one/deep/a.tool.yml",
      "spec packages/p/specs/d.tools.yaml",
      "spec two/b.tool.json",
    ]);
  });

  test("digests handlers where a spec asks for a function, whatever their line breaks", async () => {
    write({ "a.tool.yaml": `${SPEC}validate: [{ custom: f }]\n`, "src/tools/a.ts": "export {};\r\n" });
    const { plan } = await readProject(folder);
    const digest = createHash("sha256").update("export {};\n").digest("hex");
    expect(plan?.handlerDigests).toEqual({ "src/tools/a.ts": { digest, own: digest } });
  });

  test.each([String.raw`"cust\x6fm"`, String.raw`"\u0063ustom"`, String.raw`"cust\U0000006fm"`, '"cus\\\n  tom"'])(
    "digests handlers also where a spec spells the key with escapes: %s",
    async (word) => {
      write({ "a.tool.yaml": `${SPEC}validate: [{ ${word}: f }]\n`, "src/tools/a.ts": "export {};\n" });
      const { plan, sources } = await readProject(folder);
      expect(sources.map((source) => parseSource(source).value?.value)).toMatchObject([
        { validate: [{ custom: "f" }] },
      ]);
      expect(Object.keys(plan?.handlerDigests ?? {})).toEqual(["src/tools/a.ts"]);
    },
  );
});

describe("what is kept out", () => {
  test("links that lead out of the project, and files that are no text", async () => {
    const outside = mkdtempSync(join(tmpdir(), "hasp-outside-"));
    try {
      writeFileSync(join(outside, "x.yaml"), "type: string");
      write({ "a.tool.yaml": SPEC, "b.tool.yaml": new Uint8Array([0xff, 0xfe, 0x61]) });
      symlinkSync(outside, join(folder, "common"));
      expect(await sourcesOf()).toEqual([
        "spec a.tool.yaml",
        "spec b.tool.yaml (it is not UTF-8 text: byte 1 of line 1 is 0xFF (offset 0))",
        "shared common/x.yaml (it is a link that points outside the project)",
      ]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("remote schemas whose stored text is not the pinned one", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "/x" }).end();
      else response.end("type: string");
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const digest = createHash("sha256").update("type: string").digest("hex");
      expect(await fetchRemote(`${address}/x`)).toEqual({ bytes: Buffer.from("type: string") });
      expect(await fetchRemote(`${address}/moved`)).toMatchObject({ reason: expect.any(String) });
      const remote = { address: `${address}/x.yaml`, sha256: digest };
      expect(readStoredRemote(folder, remote).unreadable).toContain("hasp build --pin");
      write({ [locateStoredRemote(remote)]: "type: string" });
      expect(readStoredRemote(folder, remote)).toMatchObject({
        uri: remote.address,
        text: "type: string",
        role: "shared",
      });
      write({ [locateStoredRemote(remote)]: "type: number" });
      expect(readStoredRemote(folder, remote)).toMatchObject({ text: "", unreadable: expect.stringContaining(digest) });
    } finally {
      await new Promise((resolve) => void server.close(resolve));
    }
  });
});

describe("what is called like an approval and is no file", () => {
  test("is an error with its path: nobody reads an approval where it is not seen", async () => {
    write({
      "specs/a.tool.yaml": SPEC,
      "hasp-ledger/a.yaml": "approved: []\n",
      "elsewhere/b.yaml": "approved: []\n",
      "hasp-ledger/dir.yaml/x": "",
      "hasp-ledger/notes.txt": "",
    });
    symlinkSync("../elsewhere/b.yaml", join(folder, "hasp-ledger/b.yaml"));
    symlinkSync("nowhere", join(folder, "hasp-ledger/c.yml"));
    const { plan, diagnostics } = await readProject(folder);
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ code, message }) => `${code} ${message.slice(0, message.indexOf(";"))}`)).toEqual([
      `project/approval-not-a-file "hasp-ledger/b.yaml" is in the approvals folder but is a symbolic link (to ../elsewhere/b.yaml)`,
      `project/approval-not-a-file "hasp-ledger/c.yml" is in the approvals folder but is a symbolic link (to nowhere)`,
      `project/approval-not-a-file "hasp-ledger/dir.yaml" is in the approvals folder but is a folder`,
    ]);
  });
});

describe("what is called like a spec and is no file", () => {
  const said = async (): Promise<readonly string[]> =>
    (await readProject(folder)).diagnostics.map(
      ({ code, message }) => `${code} ${message.slice(0, message.indexOf(";"))}`,
    );
  const at = (path: string, what: string): string => `project/not-a-file "${path}" is named like a spec but is ${what}`;

  test.each(["", "specs: [specs]", "specs: ['sp*']", "specs: [specs, plain]"])(
    "is an error with its path, with %j",
    async (config) => {
      write({
        "hasp.config.yaml": config,
        "specs/a.tool.yaml": SPEC,
        "plain/b.tool.yaml": SPEC,
        "specs/dir.tool.yaml/note.txt": "",
      });
      write({ "elsewhere/c.txt": "" });
      execFileSync("mkfifo", [join(folder, "specs/pipe.tool.yaml")]);
      symlinkSync("a.tool.yaml", join(folder, "specs/link.tool.yaml"));
      symlinkSync("nowhere", join(folder, "specs/dangling.tool.yaml"));
      symlinkSync("../plain", join(folder, "specs/linked"));
      symlinkSync("../elsewhere", join(folder, "specs/empty"));
      symlinkSync("nowhere", join(folder, "specs/nothing"));
      symlinkSync("circle", join(folder, "specs/circle"));
      expect(await said()).toEqual([
        at("specs/dangling.tool.yaml", "a symbolic link (to nowhere)"),
        at("specs/dir.tool.yaml", "a folder"),
        at("specs/link.tool.yaml", "a symbolic link (to a.tool.yaml)"),
        at("specs/pipe.tool.yaml", "not a regular file"),
        at("specs/linked", "a symbolic link to a folder of specs (../plain)"),
      ]);
    },
  );

  test.each([
    ["specs: [linked]", "linked", "a symbolic link to a folder of specs (plain)"],
    ["specs: [l.tool.yaml]", "l.tool.yaml", "a symbolic link (to plain/a.tool.yaml)"],
    ["specs: ['packages/*/specs']", "packages/p", "a symbolic link to a folder of specs (../plain)"],
  ])("also where the configuration names it: %s", async (config, path, what) => {
    write({ "hasp.config.yaml": config, "plain/a.tool.yaml": SPEC, "packages/q/specs/b.tool.yaml": SPEC });
    symlinkSync("plain", join(folder, "linked"));
    symlinkSync("plain/a.tool.yaml", join(folder, "l.tool.yaml"));
    symlinkSync("../plain", join(folder, "packages/p"));
    expect(await said()).toEqual([at(path, what)]);
  });

  test("is nobody's business where no spec is looked for", async () => {
    write({ "hasp.config.yaml": "specs: [specs]", "specs/a.tool.yaml": SPEC, "plain/a.tool.yaml": SPEC });
    symlinkSync("plain", join(folder, "linked"));
    symlinkSync("plain/a.tool.yaml", join(folder, "l.tool.yaml"));
    expect(await sourcesOf()).toEqual(["spec specs/a.tool.yaml"]);
  });

  test("a pipe that a $ref names is not waited for", async () => {
    write({ "a.tool.yaml": SPEC, "common/y.yaml": "" });
    execFileSync("mkfifo", [join(folder, "common/x.yaml")]);
    expect(await sourcesOf()).toEqual(["spec a.tool.yaml", "shared common/x.yaml (it is not a regular file)"]);
  });
});

describe("could not check", () => {
  test("reports a project without specs", async () => {
    expect(await codesOf()).toEqual(["project/no-specs"]);
  });

  test("reports a missing folder", async () => {
    expect((await readProject(join(folder, "nowhere"))).diagnostics).toMatchObject([{ code: "project/no-project" }]);
  });

  test.each([
    [{ "hasp.config.yaml": "specs: [nowhere]" }, "project/specs-not-found"],
    [{ "hasp.config.yaml": "specs: ['../*']" }, "project/specs-outside"],
    [{ "hasp.config.yaml": "specs: [" }, "load/yaml-syntax"],
    [{ "hasp.config.json": `{ "specs": 1 }` }, "config/wrong-value"],
    [{ "hasp.config.yaml": "", "hasp.config.json": "{}" }, "config/two-configurations"],
    [{ "hasp.config.mjs": "export const a = 1;" }, "config/cannot-load"],
    [{ "hasp.config.mjs": "throw new Error('no');" }, "config/cannot-load"],
    [{ "hasp.config.ts": "export default { outDir: 1 as unknown };" }, "config/wrong-value"],
  ])("refuses the configuration %j", async (files, code) => {
    write({ "a.tool.yaml": SPEC, ...files });
    expect(await codesOf()).toEqual([code]);
  });

  test("reports a missing named configuration", async () => {
    expect(await codesOf({ config: "other.yaml" })).toEqual(["config/not-found"]);
  });
});

test.each([
  ["hasp.config.mjs", "export default { outDir: 'out' };"],
  ["hasp.config.ts", "const outDir: string = 'out'; export default { outDir };"],
  ["hasp.config.json", `{ "outDir": "out" }`],
])("reads the configuration from %s", async (name, text) => {
  write({ "a.tool.yaml": SPEC, [name]: text });
  expect((await readProject(folder)).plan?.outDir).toBe("out");
});
