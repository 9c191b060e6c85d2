import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.js";

/** A module of a built package. */
export const importBuilt = (name, path) => import(pathToFileURL(join(root, "packages", name, "dist", path)).href);
