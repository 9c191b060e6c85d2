import { readFileSync } from "node:fs";
import { ownFile } from "./own-package.js";

export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(ownFile("package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}
