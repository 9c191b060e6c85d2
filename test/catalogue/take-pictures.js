// `pnpm pictures`: takes the pictures of the documentation. The pipeline and a terminal are drawn; the catalogue is that of
// the shop beside this script, in Chromium, as is a review of many tools; the editor is Neovim with one of the shop's specs.
// Run it after a build, on a machine with /usr/bin/chromium, nvim and tmux.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { chromium } from "playwright-core";
import { neovimScreen } from "../lsp/neovim-screen.js";
import { reviewLargeChange } from "./large-review.js";
import { pipelineFigure } from "./pipeline-figure.js";
import { terminalFigure } from "./terminal-figure.js";

const root = resolve(import.meta.dirname, "../..");
const pictures = join(root, "packages/hasp/docs/pictures");
const hasp = join(root, "packages/hasp/bin/hasp.js");

/** The pictures: an address, the size of the window, and the element under the pointer. */
const views = {
  overview: { hash: "", width: 1280, height: 860 },
  tool: { hash: "#/tool/refund_order?dialect=gemini&line=0%3A15", width: 1280, height: 900, part: "#reads" },
  bench: { hash: "#/bench/refund_order", width: 1280, height: 860 },
  changes: { hash: "#/changes", width: 1280, height: 860 },
  dark: { hash: "#/tool/refund_order", width: 1280, height: 860, scheme: "dark", part: "#decisions" },
  narrow: { hash: "", width: 390, height: 844 },
};

/** The style of a comment, about as on GitHub. */
const COMMENT_STYLE = `
  body { box-sizing: border-box; width: 960px; margin: 0; padding: 1px 24px 8px; color: #1f2328; background: #fff; }
  body { font: 14px/1.5 "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
  h3, h4 { margin: 16px 0 8px; }
  table { border-collapse: collapse; }
  th, td { padding: 4px 10px; border: 1px solid #d1d9e0; text-align: left; vertical-align: top; }
  code { padding: 1px 4px; border-radius: 5px; background: #eff1f3; font: 12px "DejaVu Sans Mono", monospace; }`;

const folder = mkdtempSync(join(tmpdir(), "hasp-pictures-"));
try {
  const phases = readdirSync(join(root, "packages/compiler/src/phases"))
    .filter((name) => /^\d-/.test(name))
    .map((name) => name.slice(2));
  writeFileSync(join(pictures, "pipeline.svg"), pipelineFigure(phases));
  writeFileSync(join(pictures, "terminal.svg"), terminalFigure("hasp diff ../main", printDiff()));
  const catalogue = makeCatalogue();
  const editor = await neovimScreen(join(folder, "now"), hasp);
  const review = reviewLargeChange(hasp, join(folder, "review"));
  await withChromium(async (context) => {
    for (const [name, view] of Object.entries(views)) await takeView(context, name, catalogue, view);
    await takeEditor(context, editor);
    await takeReview(context, review);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The comparison of the shop with a version in which larger refunds asked somebody. */
function printDiff() {
  for (const version of ["head", "main"]) {
    cpSync(join(import.meta.dirname, "shop"), join(folder, "diff", version), { recursive: true });
  }
  const file = join(folder, "diff/main/specs/refund_order.tool.yaml");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace("input.amount <= 50.0 && input.reason", "input.amount <= 20.0 && input.reason"),
  );
  const environment = { ...process.env, FORCE_COLOR: "1", COLUMNS: "104" };
  return spawnSync(process.execPath, [hasp, "diff", "../main"], {
    cwd: join(folder, "diff/head"),
    env: environment,
    encoding: "utf8",
  }).stdout;
}

/** The catalogue of the shop, compared with a version in which larger refunds asked somebody. */
function makeCatalogue() {
  for (const version of ["now", "main"]) {
    cpSync(join(import.meta.dirname, "shop"), join(folder, version), { recursive: true });
  }
  const edit = (path, now, before) => {
    const file = join(folder, "main/specs", path);
    writeFileSync(file, readFileSync(file, "utf8").replace(now, before));
  };
  edit("refund_order.tool.yaml", "input.amount <= 50.0 && input.reason", "input.amount <= 20.0 && input.reason");
  edit("cancel_order.tool.yaml", "maxLength: 300", "maxLength: 400");
  edit("find_orders.tool.yaml", ", the newest first. Use it", ". Use it");
  try {
    const words = ["catalogue", "--out", "../site", "--base", "../main"];
    execFileSync(process.execPath, [hasp, ...words], {
      cwd: join(folder, "now"),
      stdio: "ignore",
    });
  } catch {
    // One claim of the shop waits for an approval, so that there is something to show.
  }
  return pathToFileURL(join(folder, "site/index.html")).href;
}

async function withChromium(body) {
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: "/usr/bin/chromium",
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  await body(context);
  await context.close();
}

async function takeView(context, name, address, { hash, width, height, scheme = "light", part }) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.goto(address + hash);
  await page.waitForSelector("h1");
  if (part !== undefined) await page.evaluate((id) => document.querySelector(id).scrollIntoView(), part);
  await page.waitForTimeout(200);
  await takePicture(context, page, name);
}

async function takeEditor(context, screen) {
  const page = await context.newPage();
  await page.setContent(screen);
  const { width, height } = await page.locator("pre").boundingBox();
  await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) });
  await takePicture(context, page, "editor");
}

async function takeReview(context, markdown) {
  const page = await context.newPage();
  const comment = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  await page.setContent(`<!doctype html><style>${COMMENT_STYLE}</style>${comment}`);
  const { height } = await page.locator("body").boundingBox();
  await page.setViewportSize({ width: 960, height: Math.ceil(height) });
  await takePicture(context, page, "review");
}

async function takePicture(context, page, name) {
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  writeFileSync(join(pictures, `${name}.webp`), Buffer.from(data, "base64"));
  await page.close();
}
