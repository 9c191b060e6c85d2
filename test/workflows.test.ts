import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Our own workflows, and those that `hasp init` writes. */
const workflows = [".github/workflows", "templates/workflows", "templates/actions"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yml"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
);

test("every workflow pins each action by digest, and all pin the same one", () => {
  expect(workflows.length).toBeGreaterThan(4);
  const digests = new Map<string, string>();
  for (const path of workflows) {
    for (const [, used = ""] of read(path).matchAll(/uses: (.*)/gu)) {
      if (used.startsWith("./")) continue;
      const [, action = "", pin = ""] = /^([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/u.exec(used) ?? [];
      expect(pin, `${path}: ${used}`).not.toBe("");
      expect(digests.get(action) ?? pin, `${path}: ${action}`).toBe(pin);
      digests.set(action, pin);
    }
  }
});

test("the release needs no token for npm and publishes a bill of materials", () => {
  const release = read(".github/workflows/release.yml");
  expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/u);
  expect(release).toMatch(/id-token: write/u);
  expect(release).toMatch(/pnpm sbom /u);
});
