/** The one member of a free-text tool's input, wherever it is not sent as bare text. */
export const TEXT_MEMBER = "text";
