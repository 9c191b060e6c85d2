/** Who owns a written file: `hasp` files are rewritten on every build, `user` files are made once. */
export type FileOwner = "hasp" | "user";

/** One file of a build. `path` is relative to the project's root, with `/`. */
export interface OutputFile {
  readonly path: string;
  readonly owner: FileOwner;
  readonly text: string;
}

/** A file before its text is joined. */
export interface FileDraft {
  readonly path: string;
  readonly owner: FileOwner;
  /** The text, in order; none of them ends within a character or a line break. */
  readonly pieces: readonly string[];
}

const piecesByFile = new WeakMap<OutputFile, readonly string[]>();

/**
 * The file of a draft. Large ones are put together of thousands of pieces, and joined only if somebody asks for the
 * text.
 */
export function fileOfPieces({ path, owner, pieces }: FileDraft): OutputFile {
  const [only = "", ...others] = pieces;
  let joined = others.length === 0 ? only : undefined;
  const file: OutputFile = {
    path,
    owner,
    get text() {
      return (joined ??= pieces.join(""));
    },
  };
  piecesByFile.set(file, pieces);
  return file;
}

/** The text of a file in the pieces that it was made of. */
export function piecesOf(file: OutputFile): readonly string[] {
  return piecesByFile.get(file) ?? [file.text];
}

/** Whether two files have the same text. Most often their pieces tell, and nothing is joined. */
export function hasSameText(left: OutputFile, right: OutputFile): boolean {
  if (left === right) return true;
  const [lefts, rights] = [piecesOf(left), piecesOf(right)];
  const areAlike =
    lefts.length === rights.length && lefts.every((piece, index) => piece.length === rights[index]?.length);
  if (areAlike) return lefts.every((piece, index) => piece === rights[index]);
  return lengthOf(lefts) === lengthOf(rights) && left.text === right.text;
}

/** Whether a text is that of a file, which is not joined for it. */
export function isTextOf(file: OutputFile, text: string): boolean {
  let end = 0;
  for (const piece of piecesOf(file)) {
    if (text.slice(end, end + piece.length) !== piece) return false;
    end += piece.length;
  }
  return end === text.length;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}
