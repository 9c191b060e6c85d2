/** Stands for a function in the description of a plugin, which is plain data. */
export const FUNCTION = "\u0000function";
