import { readFileSync } from "node:fs";

/** The folders of the packages that are published, each after those that it depends on. */
export const PACKAGES = JSON.parse(readFileSync(new URL("packages.json", import.meta.url), "utf8"));
