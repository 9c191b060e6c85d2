import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listImportablePackages } from "./installed-packages.js";

test("finds packages of every form and entry points of hasp's own, and loads none", () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-packages-"));
  const install = (name: string, manifest: object): void => {
    const folder = join(root, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, ...manifest }));
    writeFileSync(join(folder, "index.js"), "throw new Error('loaded');");
  };
  install("old-form", { main: "index.js" });
  install("@scope/for-import-alone", { type: "module", exports: { ".": { import: "./index.js" } } });
  install("@hasp/handlers", { type: "module", exports: { "./http/v1": { default: "./index.js" } } });
  const entries = ["@hasp/handlers/http/v1", "@hasp/handlers/http/v2", "@hasp/has-no-such-package/v1"];
  expect(listImportablePackages(root, entries)).toEqual(["@hasp/handlers/http/v1"]);
  const asked = ["old-form", "@scope/for-import-alone", "hasp-has-no-such-package"];
  expect(listImportablePackages(root, asked)).toEqual(["old-form", "@scope/for-import-alone"]);
  expect(listImportablePackages(join(root, "src"), asked)).toEqual(["old-form", "@scope/for-import-alone"]);
});
