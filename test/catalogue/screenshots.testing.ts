import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect } from "vitest";

const folder = join(import.meta.dirname, "screenshots");
/** The fonts of the machine that took the screenshots. */
const fontsFile = join(folder, "fonts.json");

/** The share of pixels that may differ: antialiasing, and no more than a word. */
export const TOLERANCE = 0.01;

/**
 * Compares a page with its committed screenshot; `UPDATE=1` takes it again. On a machine with other fonts every line is
 * of another length, so that nothing is compared there.
 */
export async function expectScreenshot(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.png`);
  const fonts = JSON.stringify(await widths(page));
  const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (process.env["UPDATE"] !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, taken);
    writeFileSync(fontsFile, `${fonts}\n`);
    return;
  }
  const known = existsSync(fontsFile) ? JSON.stringify(JSON.parse(readFileSync(fontsFile, "utf8"))) : undefined;
  if (known !== fonts) {
    process.stderr.write(`The fonts of this machine are not those of the screenshots: ${name} is not compared.\n`);
    return;
  }
  expect(differingShare(readFileSync(file), taken), `${name}: share of pixels that differ`).toBeLessThan(TOLERANCE);
}

/** The share of pixels in which two PNG pictures of one size differ. */
export function differingShare(one: Buffer, other: Buffer): number {
  const [wanted, is] = [PNG.sync.read(one), PNG.sync.read(other)];
  expect([is.width, is.height]).toEqual([wanted.width, wanted.height]);
  const different = pixelmatch(wanted.data, is.data, undefined, is.width, is.height, { threshold: 0.2 });
  return different / (is.width * is.height);
}

/** The widths of a few words in the two fonts of the page. */
async function widths(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    return ["--text", "--code"].flatMap((variable) => {
      const family = getComputedStyle(document.documentElement).getPropertyValue(variable);
      return ["Only reads, asks every time", 'WRITE_EXCLUSIVE {"amount": 12.5}'].map((words) => {
        if (context === null) return 0;
        context.font = `20px ${family}`;
        return Math.round(context.measureText(words).width);
      });
    });
  });
}
