import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { findProgram } from "../missing-programs.js";

/** `.ci/run` installs it. Without it, the tests that need it skip, and the summary says so. */
const EXECUTABLE = findProgram("chromium") ?? "";

export const hasChromium: boolean = EXECUTABLE !== "";

/** A browser with a profile of its own. */
export interface Browser {
  readonly context: BrowserContext;
  /** Opens a page that fails the test for every error and every request that leaves the machine. */
  open(address: string, options?: PageOptions): Promise<Page>;
  /** The complaints of all pages so far. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

/** Starts Chromium without a window. */
export async function startChromium(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "hasp-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: EXECUTABLE,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--force-device-scale-factor=1",
      "--font-render-hinting=none",
      "--disable-lcd-text",
    ],
  });
  const complaints: string[] = [];
  return {
    context,
    complaints,
    async open(address, { width = 1280, height = 900, scheme = "light" } = {}) {
      const page = await context.newPage();
      page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
      page.on("pageerror", (error) => void complaints.push(error.message));
      page.on("dialog", (dialog) => void complaints.push(`dialog: ${dialog.message()}`));
      page.on("request", (request) => {
        if (!request.url().startsWith(address.replace(/#.*/su, ""))) complaints.push(`request: ${request.url()}`);
      });
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(address);
      await page.waitForSelector("h1");
      return page;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
