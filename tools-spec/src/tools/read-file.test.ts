import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { createDispatcher, type ToolResult } from "@hasp/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registry } from "../generated/registry.js";
import { openWorkspace, type Workspace } from "../services/workspace.js";

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-reading-"));
  workspace = await openWorkspace(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const dispatcher = createDispatcher({ tools: registry.pick(["read_file"]) });

async function read(name: string, content: string | Uint8Array, more: object = {}): Promise<ToolResult> {
  await writeFile(join(folder, name), content);
  const calls = [{ id: "c", name: "read_file", input: { path: name, ...more } }];
  const [result] = await dispatcher.dispatch(calls, { context: { workspace } });
  if (result === undefined) throw new Error("no result");
  return result;
}

async function textOf(...call: Parameters<typeof read>): Promise<{ readonly text: string; readonly next?: number }> {
  const { output, error } = await read(...call);
  expect(error).toBeUndefined();
  return output as { text: string };
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080010002001011100ffd9", "hex");

describe("reading images", () => {
  test("returns a picture as image content, with its size", async () => {
    expect(await read("a.png", png)).toMatchObject({
      isError: false,
      output: { path: "a.png", text: "image/png, 1 × 1 pixels" },
      content: [{ type: "text" }, { type: "image", mimeType: "image/png", data: png.toString("base64") }],
    });
  });

  test("goes by the bytes of an image that lies about its type", async () => {
    for (const name of ["lie.png", "lie.txt", "lie.ipynb"]) {
      expect((await read(name, jpeg)).content[1]).toMatchObject({ type: "image", mimeType: "image/jpeg" });
    }
    expect((await read("lie.gif", "<svg/>")).output).toEqual({ path: "lie.gif", text: "<svg/>" });
    expect((await read("lie.jpg", "MZ\0\0")).error?.message).toMatch(/not a text file/u);
  });

  test("refuses an image that is damaged, enormous or too many bytes", async () => {
    const enormous = Buffer.from(png);
    enormous.writeUInt32BE(50_000, 16);
    for (const [bytes, reason] of [
      [png.subarray(0, 14), /damaged/u],
      [jpeg.subarray(0, 8), /damaged/u],
      [Buffer.from("RIFF\0\0\0\0WEBPnone"), /damaged/u],
      [enormous, /50000 × 1 pixels/u],
      [Buffer.concat([png, Buffer.alloc(4_000_000)]), /4000070 bytes/u],
    ] as const) {
      expect((await read("bad.png", bytes)).error).toMatchObject({
        effect: "none",
        message: expect.stringMatching(reason),
      });
    }
  });
});

/** Makes a PDF whose pages share one content stream, or have one each. */
function makePdf(pages: number, streamOf: (page: number) => Buffer, isShared = false): Buffer {
  let body = "%PDF-1.4\n";
  const offsets: number[] = [];
  const add = (object: string): void => {
    offsets.push(body.length);
    body += `${offsets.length} 0 obj\n${object}\nendobj\n`;
  };
  const contents = isShared ? 1 : pages;
  const kids = Array.from({ length: pages }, (_, page) => `${4 + contents + page} 0 R`);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Count ${pages} /Kids [${kids.join(" ")}] >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (let page = 0; page < contents; page += 1) {
    const stream = streamOf(page + 1);
    add(`<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n${stream.toString("latin1")}\nendstream`);
  }
  for (let page = 0; page < pages; page += 1) {
    const content = 4 + (isShared ? 0 : page);
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = offsets.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, "latin1");
}

const show = (text: string): Buffer => deflateSync(`BT /F1 12 Tf 10 100 Td (${text}) Tj ET`);

describe("reading PDFs", () => {
  test("returns the text of the pages that were asked for", async () => {
    const pdf = makePdf(3, (page) => show(`This is page ${page}.`));
    expect((await textOf("a.pdf", pdf)).text).toBe(
      "[page 1 of 3]\nThis is page 1.\n\n[page 2 of 3]\nThis is page 2.\n\n[page 3 of 3]\nThis is page 3.",
    );
    expect(await textOf("a.dat", pdf, { pages: { first: 2, last: 2 } })).toEqual({
      path: "a.dat",
      text: "[page 2 of 3]\nThis is page 2.",
    });
    expect((await read("a.pdf", pdf, { pages: { first: 9 } })).error?.message).toMatch(/has 3 pages/u);
    expect((await read("a.txt", "text", { pages: { first: 1 } })).error?.message).toMatch(/only a PDF/u);
  });

  test("reads a document of 10,000 pages in pieces", async () => {
    const pdf = makePdf(10_000, () => show("again"), true);
    const { text, next } = await textOf("long.pdf", pdf);
    expect(text).toContain("[page 50 of 10000]");
    expect(next).toBe(51);
    expect((await textOf("long.pdf", pdf, { pages: { first: 10_000 } })).next).toBeUndefined();
  });

  test("refuses a document that unpacks without end, is damaged, or is none", async () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(410_000_000, "BT ET "), { level: 1 }));
    const nested = Buffer.from(
      makePdf(1, () => bomb)
        .toString("latin1")
        .replace("/Filter /FlateDecode", "/Filter [/FlateDecode /FlateDecode]"),
      "latin1",
    );
    expect(nested.length).toBeLessThan(1_000_000);
    for (const pdf of [nested, Buffer.from("%PDF-1.7\nnothing"), makePdf(2, show.bind(null, "x")).subarray(0, 100)]) {
      expect((await read("bad.pdf", pdf)).error).toMatchObject({ phase: "execute", effect: "none" });
    }
  });
});

describe("reading notebooks", () => {
  const notebook = (...outputs: object[]): string =>
    JSON.stringify({
      cells: [
        { cell_type: "markdown", metadata: {}, source: ["# A\n", "b"] },
        { cell_type: "code", metadata: {}, source: "1 + 1", outputs },
      ],
      nbformat: 4,
    });

  test("returns cells with their outputs, and names what is no text", async () => {
    const outputs = [
      { output_type: "execute_result", data: { "text/plain": ["2"], "image/png": "aGk=" } },
      { output_type: "error", traceback: ["\u001B[31mboom\u001B[0m"] },
    ];
    expect((await textOf("n.ipynb", notebook(...outputs))).text).toBe(
      "[cell 0: text]\n# A\nb\n\n[cell 1: code]\n1 + 1\n[output, also as image/png]\n2\n[output]\nboom\n",
    );
    const piece = await textOf("n.ipynb", notebook(...outputs), { lines: { first: 5, last: 6 } });
    expect(piece.text).toBe("[cell 1: code]\n1 + 1");
  });

  test("cuts long outputs, and refuses outputs of 100 MB and what is no notebook", async () => {
    const long = await textOf("n.ipynb", notebook({ output_type: "stream", text: "x".repeat(1_000_000) }));
    expect(long.text.length).toBeLessThan(5000);
    expect(long.text).toContain("(996000 more characters)");
    const source = JSON.stringify({ cells: [{ source: `${"x".repeat(1_000_000)}\nlast` }] });
    const whole = await textOf("n.ipynb", source);
    expect([whole.next, whole.text.slice(10_000)]).toEqual([
      undefined,
      expect.stringContaining("(990000 more characters)\nlast"),
    ]);
    const enormous = notebook({ output_type: "stream", text: "x".repeat(100_000_000) });
    expect((await read("n.ipynb", enormous)).error?.message).toMatch(/may have 30000000/u);
    for (const text of ["", "[]", '{"cells":{}}']) {
      expect((await read("n.ipynb", text)).error?.message).toMatch(/not a notebook/u);
    }
    expect((await read("n.ipynb", '{"cells":[null,{"source":{},"outputs":[0,{"data":[]}]}]}')).isError).toBe(false);
  });
});
