/** The name of the only member of a free-text tool's input. Providers that know free text send the bare text instead. */
export const TEXT_MEMBER = "text";
