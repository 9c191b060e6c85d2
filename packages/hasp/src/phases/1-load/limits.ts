/** The deepest nesting that is read. One level of a schema takes two. */
export const DEPTH_LIMIT = 512;

/** The largest file that is read. */
export const MEGABYTES_LIMIT = 16;

/** Bytes of a megabyte. */
export const MEGABYTE: number = 1024 * 1024;

/** The one key that is refused everywhere: copied carelessly, it changes an object's prototype. */
export const UNSAFE_KEY = "__proto__";
