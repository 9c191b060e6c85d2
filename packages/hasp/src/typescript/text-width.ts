/** The columns that a text takes, counted as prettier counts them: wide characters and emoji take two, marks none. */
export function textWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text.replaceAll(emoji, "  ")) {
    if (!takesNoColumn.test(character)) width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}

const onlyAscii = /^[\u0020-\u007f]*$/u;
// The flag `v` is newer than the syntax that this package is compiled to; every supported Node knows it.
const emoji = new RegExp("\\p{RGI_Emoji}", "gv");
const takesNoColumn = /^[\p{Cc}\p{Mn}\p{Me}]$/u;

/** First and last code points of the blocks that Unicode calls East Asian Wide or Fullwidth. */
const wideBlocks: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x261d, 0x261d],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x26f9, 0x26f9],
  [0x270c, 0x270d],
  [0x2e80, 0x2e99],
  [0x2e9b, 0x2ef3],
  [0x2f00, 0x2fd5],
  [0x2ff0, 0x303e],
  [0x3041, 0x3096],
  [0x3099, 0x30ff],
  [0x3105, 0x312f],
  [0x3131, 0x318e],
  [0x3190, 0x31e5],
  [0x31ef, 0x321e],
  [0x3220, 0x3247],
  [0x3250, 0xa48c],
  [0xa490, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe52],
  [0xfe54, 0xfe66],
  [0xfe68, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cda],
  [0x18cff, 0x18d20],
  [0x18d80, 0x18df2],
  [0x18e00, 0x19191],
  [0x191a0, 0x191d2],
  [0x1aff0, 0x1affe],
  [0x1b000, 0x1b2fb],
  [0x1d300, 0x1d356],
  [0x1d360, 0x1d376],
  [0x1f200, 0x1f265],
  [0x1f3cb, 0x1f3cc],
  [0x1f574, 0x1f575],
  [0x1f590, 0x1f590],
  [0x20000, 0x2fffd],
  [0x30000, 0x3fffd],
];

function isWide(codePoint: number): boolean {
  return codePoint >= 0x1100 && wideBlocks.some(([first, last]) => codePoint >= first && codePoint <= last);
}
