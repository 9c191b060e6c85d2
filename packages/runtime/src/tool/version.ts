// Written by `pnpm gen` from package.json.
/** The version of hasp, which the manifest of a build names. */
export const VERSION = "0.1.0";
