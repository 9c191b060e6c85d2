// The blocks that Unicode keeps for scripts that run from right to left, digits included (DerivedBidiClass.txt). Beside
// such a character, a screen may move digits, punctuation and other words.
export const RIGHT_TO_LEFT: RegExp =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/**
 * Words, or numbers, whose characters may change places with each other only. Isolate each where they are shown, with
 * `<bdi>` in HTML: everything else then reads from left to right.
 */
export const RIGHT_TO_LEFT_RUN: RegExp = /* @__PURE__ */ createRun();

function createRun(): RegExp {
  const letter = String.raw`(?=[\p{L}\p{M}])${RIGHT_TO_LEFT.source}\p{M}*`;
  const other = String.raw`(?![\p{L}\p{M}])${RIGHT_TO_LEFT.source}\p{M}*`;
  return new RegExp(`(?:${letter})+(?: (?:${letter})+)*|(?:${other})+`, "gu");
}
