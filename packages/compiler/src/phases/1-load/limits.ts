/** Maximum nesting depth. One schema level takes two. */
export const DEPTH_LIMIT = 512;

/** Maximum file size. */
export const MEGABYTES_LIMIT = 16;

/** Bytes per megabyte. */
export const MEGABYTE: number = 1024 * 1024;

/** The one key that is refused everywhere: a careless copy changes the object's prototype. */
export const UNSAFE_KEY = "__proto__";
