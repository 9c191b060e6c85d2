import { RIGHT_TO_LEFT } from "./present-question.js";

const LETTER = String.raw`(?=[\p{L}\p{M}])${RIGHT_TO_LEFT.source}\p{M}*`;
const OTHER = String.raw`(?![\p{L}\p{M}])${RIGHT_TO_LEFT.source}\p{M}*`;

/**
 * Words, or numbers, whose characters may change places with each other only. Isolate each where they are shown, with
 * `<bdi>` in HTML: everything else then reads from left to right.
 */
export const RIGHT_TO_LEFT_RUN: RegExp = new RegExp(`(?:${LETTER})+(?: (?:${LETTER})+)*|(?:${OTHER})+`, "gu");
