/** A property that results bring into a conversation: an outsider may have written them, or not everybody may read them. */
export type Label = "untrusted" | "private";

/** Every label, in the order in which results list them. */
export const LABELS: readonly Label[] = ["untrusted", "private"];
