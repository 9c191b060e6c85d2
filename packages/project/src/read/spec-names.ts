/** The file names of specs. */
export const SPEC_FILE: RegExp = /\.tools?\.(?:ya?ml|json)$/u;
