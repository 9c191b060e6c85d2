import { resolve } from "node:path";

/** Keeps the `exports` of a manifest that are published, as the scripts that pack it do. */
export const { keepPublished } = (await import(
  resolve(import.meta.dirname, "../packages/hasp/scripts/packages.js")
)) as {
  keepPublished<Exports extends object>(exports: Exports): Exports;
};
