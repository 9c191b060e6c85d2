import { spawn } from "node:child_process";
import { chmodSync, cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createLocation } from "@hasp/base/diagnostics";
import { reviewMark, reviewMarkdown } from "@hasp/catalogue";
import { LONGEST_COMMENT, type ReviewedFinding } from "@hasp/report";
import { bin, hasp, haspJson, minimalSpec, project, put } from "./command-line.js";

const shop = resolve(import.meta.dirname, "../catalogue/shop");

/** The shop and an earlier version, in which refunds of 50 asked somebody and a message could be longer. */
function versions(): string {
  const root = project({ "event.json": JSON.stringify({ pull_request: { number: 7 } }) });
  for (const version of ["now", "before"]) cpSync(shop, join(root, version), { recursive: true });
  const edit = (path: string, now: string, before: string): void => {
    const file = join(root, "before/specs", path);
    writeFileSync(file, readFileSync(file, "utf8").replace(now, before));
  };
  edit("refund_order.tool.yaml", "input.amount <= 50.0 && input.reason", "input.amount <= 20.0 && input.reason");
  edit("cancel_order.tool.yaml", "maxLength: 300", "maxLength: 400");
  return root;
}

describe("hasp review", () => {
  test("says what a change breaks, loosens, rewords and costs", async () => {
    const root = versions();
    const run = await hasp(join(root, "now"), ["review", "../before"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toMatch(/^<!-- hasp review {2}-->\n### hasp: what this change means\n/u);
    expect(run.out).toContain("**2 changes may loosen safety, and 1 change may break callers.**");
    expect(run.out).toContain("| error | `refund_order` | `specs/refund_order.tool.yaml:20` | For some calls,");
    const headings = run.out.split("\n").filter((line) => line.startsWith("####"));
    expect(headings).toEqual([
      "#### Loosens safety: 2",
      "#### Breaks callers: 1",
      "#### Changes the prompt only: 1",
      "#### Costs",
    ]);
    expect(run.out).toMatch(/#### Costs\n\n- toolset support, anthropic: about \d+ → \d+ tokens in every request/u);
    expect(run.out).toMatch(/\nAlready in the base: 2 findings. `hasp check` lists all\.\n$/u);
  });

  test("names the tapes that the change makes outdated", async () => {
    const root = versions();
    const header = JSON.stringify({ tape: 1, tools: { cancel_order: { type: "object", maxProperties: 3 } } });
    writeFileSync(join(root, "now/day.jsonl"), `${header}\n`);
    writeFileSync(join(root, "now/other.jsonl"), '{"n":1}\n');
    writeFileSync(join(root, "now/torn.jsonl"), `${header}\n{"tool":"ca`);
    put(root, { "elsewhere/linked.jsonl": `${header}\n` });
    symlinkSync(join(root, "elsewhere"), join(root, "now/elsewhere"));
    symlinkSync(join(root, "elsewhere/linked.jsonl"), join(root, "now/linked.jsonl"));
    symlinkSync("/dev/zero", join(root, "now/endless.jsonl"));
    const { out } = await hasp(join(root, "now"), ["review", "../before"]);
    const section = out.slice(out.indexOf("#### Outdated tapes"));
    expect(section).toMatch(/^#### Outdated tapes: 2\n\n\| tape \| tool \| what changed \|/u);
    expect(section).toMatch(/`day\.jsonl` \| `cancel_order` \| .*on the tape and/u);
    expect(section).toContain("torn.jsonl:2: The tape is damaged");
    expect(section).not.toMatch(/other\.jsonl|linked\.jsonl|endless/u);
  });

  test.each([
    ["review", "./", "--out", ""],
    ["catalogue", "--out", " "],
  ])("%s %s %s refuses an empty folder", async (...words) => {
    const { code, error } = await hasp(project({}), words);
    expect([code, error]).toEqual([2, expect.stringContaining("perhaps a variable is not set")]);
  });

  test("says so where nothing has changed, nothing can be compared, or the specs have errors", async () => {
    const root = versions();
    const same = await hasp(join(root, "now"), ["review", "./"]);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining("Nothing that affects callers")]);
    expect(same.out).not.toContain("####");
    const gone = await hasp(join(root, "now"), ["review", "./gone"]);
    expect([gone.code, gone.out]).toEqual([2, expect.stringContaining("there is no such folder")]);
    writeFileSync(join(root, "now/specs/bad.tool.yaml"), "hasp: 1\nname: bad\n");
    const bad = await hasp(join(root, "now"), ["review", "../before"]);
    expect([bad.code, bad.out]).toEqual([1, expect.stringContaining("The specs have errors")]);
  });

  test("groups by cause, and says in old and new words what models read", async () => {
    const spec = (name: string): string =>
      minimalSpec(name)
        .replace("input:\n", "input:\n  # The owner is shared.\n")
        .replace(
          "  properties:\n",
          "  properties:\n    owner: { $ref: './common/a.yaml#/$defs/Owner', description: Whose it is. }\n",
        );
    const names = ["read_a", "read_b", "read_c", "read_d"];
    const definition = (most: number): string =>
      `$defs:\n  Owner:\n    type: string\n    maxLength: ${most}\n    pattern: "^[a-z]+$"\n`;
    const files = (most: number): Record<string, string> => ({
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
      "specs/common/a.yaml": definition(most),
      ...Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, spec(name)])),
    });
    const root = project({});
    put(join(root, "before"), files(40));
    put(join(root, "now"), files(39));
    const reworded = files(39)["specs/read_a.tool.yaml"]?.replace(
      "Do not use it to search.",
      "Never ask for confirmation.",
    );
    put(join(root, "now"), { "specs/read_a.tool.yaml": reworded ?? "" });
    const workflow = { GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "acme/shop", GITHUB_SHA: "abc" };
    const { out } = await hasp(join(root, "now"), ["review", "../before"], workflow);
    const rows = out.split("\n").filter((line) => /^\| (?:error|warning|note) /u.test(line));
    expect(rows.filter((row) => row.includes("4 tools"))).toHaveLength(1);
    expect(out).toContain("**Owner in specs/common/a.yaml: 4 tools.**");
    expect(out).toContain("[`specs/common/a.yaml:4`](https://git.example/acme/shop/blob/abc/specs/common/a.yaml#L4)");
    expect(out).toMatch(/is known\. Do not use it to search\." → "… .* is known\. Never ask for confirmation\."/u);
    expect(out).not.toContain("#### Loosens safety");
    expect(out).toMatch(/rejected: `\{"id":"x","owner":"[a-z]{40}"\}`. `\/owner` must/u);
  });

  test("shows a sentence that many descriptions gain in one row", async () => {
    const root = project({});
    const texts = { a: "Read an order.", b: "Count all customers of a shop.", c: "Find the owner of a parcel." };
    const specs = (written: (text: string) => string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [
          `specs/${name}.tool.yaml`,
          `hasp: 1\nname: ${name}\ndescription: ${written(text)}\ninput: { type: object, properties: {} }\n`,
        ]),
      );
    put(
      join(root, "before"),
      specs((text) => text),
    );
    for (const [written, quoted] of [
      [(text) => `Ask first. ${text}`, '"…" → "Ask first. …"'],
      [(text) => `${text} Never guess.`, '"…" → "… Never guess."'],
    ] as const satisfies readonly (readonly [(text: string) => string, string])[]) {
      put(join(root, "now"), specs(written));
      const { out } = await hasp(join(root, "now"), ["review", "../before"]);
      const rows = out.split("\n").filter((line) => line.includes("prompt-changed"));
      expect(rows).toHaveLength(1);
      expect(rows[0]).toContain("| 3 tools |");
      expect(rows[0]).toContain(quoted);
    }
  });

  test("writes a page that opens at the changes", async () => {
    const root = versions();
    expect((await hasp(join(root, "now"), ["review", "../before", "--out", "../page"])).code).toBe(0);
    expect(readFileSync(join(root, "page/index.html"), "utf8")).toContain('"route":"#/changes"');
  });

  test("is never longer than a comment may be, and closes its mark", () => {
    const finding: fc.Arbitrary<ReviewedFinding> = fc.record({
      severity: fc.constantFrom("error", "warning", "info"),
      code: fc.constantFrom("diff/loosened", "diff/input-refused", "schema/x"),
      message: fc.oneof(
        fc.string({ unit: "binary", maxLength: 50 }),
        fc.constant("|*_<>@#".repeat(500)),
        fc.constant("-->"),
      ),
      tool: fc.string({ maxLength: 70 }),
      projects: fc.uniqueArray(fc.string({ maxLength: 20 })),
      location: fc
        .record({ uri: fc.oneof(fc.string(), fc.constant("x/".repeat(5000))), line: fc.nat() })
        .map(({ uri, line }) => createLocation(uri, { offset: line, line, column: 1 })),
    });
    const findings = fc.array(finding, { maxLength: 300, size: "max" });
    fc.assert(
      fc.property(findings, fc.string(), fc.string({ maxLength: 300 }), (found, base, toolset) => {
        const costs = Array.from({ length: 50 }, () => ({
          toolset,
          dialect: "mcp" as const,
          before: 1,
          after: 2,
          isOther: true,
        }));
        const prefix = "packages/a--b-->/";
        const text = reviewMarkdown({ base, findings: found, costs, tapes: [], refusals: [] }, { prefix });
        expect(text.length).toBeLessThanOrEqual(LONGEST_COMMENT);
        const loosens = found.filter(({ code }) => code === "diff/loosened").length;
        if (loosens > 0) expect(text).toContain(`#### Loosens safety: ${loosens}\n`);
        expect(text.startsWith(`${reviewMark({ prefix })}\n`)).toBe(true);
        expect(reviewMark({ prefix })).toMatch(/^<!-- [^>]*[^->] -->$/u);
      }),
      { numRuns: 8 },
    );
  });

  test("shows every number by which one thing that loosens differs from another", () => {
    const findings = [
      { tool: "pay", amount: 10 },
      { tool: "pay", amount: 99 },
      { tool: "refund", amount: 88 },
    ].map(({ tool, amount }, line): ReviewedFinding => ({
      code: "diff/self-approved",
      severity: "error",
      message: `A row runs unasked: input.amount < ${amount}.`,
      tool,
      location: createLocation(`${tool}.yaml`, { offset: line, line, column: 1 }),
    }));
    const review = { base: "main", findings, costs: [], tapes: [], refusals: [] };
    const text = reviewMarkdown(review, { prefix: "" });
    for (const amount of [10, 99, 88]) expect(text).toMatch(new RegExp(`^\\| error .*< ${amount}`, "mu"));
    const ofSpecs = findings.map((each) => ({ ...each, code: "size/x", message: "100 tokens." }));
    const counted = reviewMarkdown({ ...review, findings: ofSpecs }, { prefix: "" });
    expect(counted.match(/^\| error /gmu)).toHaveLength(2);
  });

  test("lists the worst of 5,000 findings of many causes, and counts the others", () => {
    const findings = Array.from({ length: 5000 }, (_, index): ReviewedFinding => ({
      code: index % 2 === 0 ? "schema/x" : "diff/loosened",
      severity: index === 4998 ? "error" : "warning",
      message: `Something ${"abcdefghij".repeat(1 + (index % 7))}-${[...`${index}`].map((digit) => "abcdefghij"[Number(digit)]).join("")}.`,
      tool: `t${index}`,
    }));
    const text = reviewMarkdown({ base: "main", findings, costs: [], tapes: [], refusals: [] }, { prefix: "" });
    expect(text.length).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(text).toMatch(/#### Loosens safety: 2500\n[\s\S]*… and \d+ more: `--format json` lists all of them\./u);
  });
});

/** A stub of GitHub's API, with the comments of one pull request. */
interface StubComment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
  readonly author_association: string;
}

describe("the comment on a pull request", () => {
  let comments: StubComment[] = [];
  let requests: string[] = [];
  let answer: number | undefined;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://stub");
      requests.push(`${request.method} ${pathname}`);
      const send = (status: number, value: unknown): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (request.headers.authorization !== "Bearer s3cret") return send(401, {});
      if (answer !== undefined) return send(answer, { message: "s3cret" });
      const number = /^\/api\/repos\/acme\/shop\/issues\/comments\/(\d+)$/u.exec(pathname)?.[1];
      if (request.method === "PATCH" && number !== undefined) {
        const comment = comments.find(({ id }) => id === Number(number));
        if (comment !== undefined) comment.body = body.body;
        return send(200, {});
      }
      if (pathname !== "/api/repos/acme/shop/issues/7/comments") return send(404, {});
      if (request.method === "POST") {
        comments.push({
          id: 900 + comments.length,
          body: body.body,
          user: { type: "Bot" },
          author_association: "NONE",
        });
        return send(201, {});
      }
      const page = Number(searchParams.get("page"));
      return send(200, comments.slice((page - 1) * 100, page * 100));
    });
  });
  let root: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    root = versions();
    environment = {
      GITHUB_TOKEN: "s3cret",
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
      GITHUB_EVENT_PATH: join(root, "event.json"),
      GITHUB_WORKSPACE: root,
    };
  });
  afterAll(() => void server.close().closeAllConnections());
  beforeEach(() => {
    comments = [];
    requests = [];
    answer = undefined;
  });

  const review = async (base = "../before"): Promise<Awaited<ReturnType<typeof haspJson>>> =>
    haspJson(join(root, "now"), ["review", base, "--comment"], environment);

  test("is written once, updated when the review is another, and left alone when it is the same", async () => {
    expect((await review()).code).toBe(0);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain("`now/specs/refund_order.tool.yaml:20`");
    await review();
    expect(requests.filter((request) => !request.startsWith("GET"))).toHaveLength(1);
    await review("./");
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain("Nothing that affects callers");
    expect(requests.at(-1)).toBe("PATCH /api/repos/acme/shop/issues/comments/900");
  });

  test("is kept beside that of another configuration of the same folder", async () => {
    expect((await review()).code).toBe(0);
    const [config, other] = [join(root, "now/hasp.config.yaml"), join(root, "now/hasp.other.yaml")];
    renameSync(config, other);
    await haspJson(join(root, "now"), ["review", "./", "--comment", "--config", "hasp.other.yaml"], environment);
    renameSync(other, config);
    expect(comments.map(({ body }) => body.includes("Nothing that affects callers"))).toEqual([false, true]);
    expect(comments[1]?.body).toContain("`hasp.other.yaml`");
  });

  test("names no configuration for all projects, and is another than that of one", async () => {
    await review();
    const all = async (base: string): ReturnType<typeof haspJson> =>
      haspJson(root, ["review", base, "--all", "--comment"], environment);
    await all("./");
    expect(comments.map(({ body }) => body.includes("Nothing that affects callers"))).toEqual([false, true]);
    await all("./");
    expect(comments).toHaveLength(2);
    expect(comments[1]?.body).toMatch(/^<!-- hasp review %2D%2Dall -->\n### hasp: what this change means\n/u);
  });

  test("is found behind other comments, and never taken for one of a stranger or of another project", async () => {
    const other = (id: number, body: string, type = "User"): StubComment => ({
      id,
      body,
      user: { type },
      author_association: "CONTRIBUTOR",
    });
    const mark = reviewMark({ prefix: "now/" });
    comments = [
      other(1, `${mark}\nApproved, trust me.`),
      other(2, `${reviewMark({ prefix: "elsewhere/" })}\n`, "Bot"),
      ...Array.from({ length: 150 }, (_, index) => other(index + 10, "LGTM")),
      other(500, `${mark}\nold`, "Bot"),
    ];
    await review();
    expect(requests.at(-1)).toBe("PATCH /api/repos/acme/shop/issues/comments/500");
    expect(comments[0]?.body).toContain("trust me");
  });

  test("a comment that cannot be written is a warning with the reason, and never with the token", async () => {
    answer = 403;
    const { code, diagnostics } = await review();
    expect(code).toBe(0);
    expect(diagnostics).toMatchObject([{ code: "cli/no-comment", severity: "warning" }]);
    expect(JSON.stringify(diagnostics)).toContain("GitHub answered 403 to GET");
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
  });

  test("a comment that GitHub could not take is a warning with the host, the cause and the remedy", async () => {
    answer = 502;
    expect((await review()).diagnostics).toMatchObject([
      {
        code: "cli/comment-unreachable",
        message: expect.stringMatching(/127\.0\.0\.1:\d+ answered 502 to GET repos\/acme\/shop\/issues/u),
      },
    ]);
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, "127.0.0.1", listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((ended) => closed.close(ended));
    const run = await haspJson(join(root, "now"), ["review", "../before", "--comment"], {
      ...environment,
      GITHUB_API_URL: `http://127.0.0.1:${port}/api`,
    });
    expect(run.code).toBe(0);
    expect(run.diagnostics).toMatchObject([
      {
        code: "cli/comment-unreachable",
        severity: "warning",
        message: `The review was not posted on the pull request: 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
        help: expect.stringContaining("GITHUB_API_URL"),
      },
    ]);
  });

  test.each([
    ["GITHUB_TOKEN", "", "GITHUB_TOKEN is not set"],
    ["GITHUB_REPOSITORY", "a/b/../c", "GITHUB_REPOSITORY"],
    ["GITHUB_API_URL", "http://api.example.com", "not an https address"],
    ["GITHUB_EVENT_PATH", "/nowhere", "not started by a pull request"],
  ])("a comment needs %s", async (name, value, reason) => {
    const run = await haspJson(join(root, "now"), ["review", "../before", "--comment"], {
      ...environment,
      [name]: value,
    });
    expect([run.code, run.diagnostics[0]?.message]).toEqual([0, expect.stringContaining(reason)]);
    expect(requests).toEqual([]);
  });

  test("is what the action writes", async () => {
    const action = parse(
      readFileSync(resolve(import.meta.dirname, "../../templates/actions/hasp/action.yml"), "utf8"),
    ) as { readonly runs: { readonly steps: readonly { readonly id?: string; readonly run?: string }[] } };
    const script = action.runs.steps.find(({ id }) => id === "review")?.run ?? "";
    const folder = project({
      npx: `#!/bin/sh\n[ "$1 $2" = "--no-install hasp" ] || exit 99\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
      summary: "",
    });
    chmodSync(join(folder, "npx"), 0o755);
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: join(root, "now"),
      env: {
        ...process.env,
        ...environment,
        CI: "true",
        HASP_BASE: "../before",
        GITHUB_STEP_SUMMARY: join(folder, "summary"),
        PATH: [folder, process.env["PATH"] ?? ""].join(delimiter),
      },
      stdio: "ignore",
    });
    expect(await new Promise((ended) => child.on("close", ended))).toBe(0);
    expect(comments).toHaveLength(1);
    expect(readFileSync(join(folder, "summary"), "utf8")).toBe(comments[0]?.body);
  });
});

async function bodyOf(request: IncomingMessage): Promise<{ readonly body: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? { body: "" } : (JSON.parse(text) as { readonly body: string });
}
