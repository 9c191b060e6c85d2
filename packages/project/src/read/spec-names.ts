/** What specs are called. */
export const SPEC_FILE: RegExp = /\.tools?\.(?:ya?ml|json)$/u;
