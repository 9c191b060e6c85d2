/** Ways to give an interpreter a program text. In doubt, a word counts as one. */
interface Interpreter {
  readonly options: RegExp;
  readonly isShell?: true;
  /** Operands that are texts. `valued` options take a word; with an `unless` option, no operand is a text. */
  readonly operands?: { readonly all?: number; readonly valued: RegExp; readonly unless: RegExp };
}

const NEVER = /^(?!)/u;
const SHELL: Interpreter = { options: /^(?:-[abd-z]*c[a-z]*|\/[ck]|-(?:encoded)?command|-ec?)$/iu, isShell: true };
const SCRIPT: Interpreter = { options: /^(?:-[a-z]*[cepr]|--eval|--print|--execute|eval)$/iu };
// Their languages start programs and write files: awk's `system`, GNU sed's `e` and `w`.
const EDITOR: Interpreter = {
  options: /^(?:-[a-z]*e|--expression|--source)$/iu,
  operands: { valued: /^-[Fvl]$/u, unless: /^(?:-f|--file)/u },
};

export const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(
  (
    [
      ["sh bash zsh dash ash ksh mksh fish tcsh csh cmd powershell pwsh", SHELL],
      ["python node deno bun ruby perl php lua osascript tclsh rscript", SCRIPT],
      ["awk gawk mawk nawk sed", EDITOR],
      // These start other programs without a shell, except with these options.
      ["su runuser flock script sg", { options: /^(?:-[a-z]*c|--command|--session-command)$/u, isShell: true }],
      ["sudo doas", { options: /^(?:-[a-z]*[si]|--shell|--login)$/u, isShell: true }],
      ["env", { options: /^(?:-[a-z0]*S|--split-string)$/u }],
      ["find", { options: /^-(?:exec|ok)(?:dir)?$/u }],
      ["watch", { options: NEVER, operands: { all: 0, valued: /^-[nq]$/u, unless: /^(?:-[a-z]*x|--exec)/u } }],
      ["parallel sem", { options: NEVER, operands: { all: 0, valued: /^-[jSaInNLdP]$/u, unless: NEVER } }],
      [
        "ssh rsh mosh",
        { options: /^-o$/u, operands: { all: 1, valued: /^-[BbcDEeFIiJLlmOopQRSWw]$/u, unless: NEVER } },
      ],
      ["psql mysql mariadb mongosh", { options: /^(?:-[a-z]*[ce]|--command|--execute|--eval)$/u }],
      ["sqlite3 duckdb", { options: /^--?(?:c|cmd)$/u, operands: { all: 1, valued: NEVER, unless: NEVER } }],
    ] as const
  ).flatMap(([names, interpreter]) => names.split(" ").map((name) => [name, interpreter] as const)),
);

interface ProgramText {
  readonly program: string;
  readonly isShell: boolean;
  /** The word that announces the text, or the program itself. */
  readonly after: string;
  readonly at: number;
}

/** Finds the texts that a program, given by name or path, runs. */
export function findProgramTexts(path: string, words: readonly string[]): readonly ProgramText[] {
  const program = (path.split(/[\\/]/u).at(-1) ?? "").replace(/\.exe$/iu, "");
  const name = program.toLowerCase();
  // Names may end in a version: `python3.12`.
  const interpreter = INTERPRETERS.get(name) ?? INTERPRETERS.get(name.replace(/(?<![\d.])[\d.]+$/u, ""));
  if (interpreter === undefined) return [];
  const { options, isShell = false, operands } = interpreter;
  const found = words.flatMap((word, index) => {
    // `--eval={text}`, and `-c{text}`
    const option = word.replace(/[={].*/su, "");
    return options.test(option) ? [{ program, isShell, after: option, at: option === word ? index + 1 : index }] : [];
  });
  // If an option holds the text, operands are its arguments, unless the program joins them all.
  const texts =
    operands === undefined || (found.length > 0 && operands.all === undefined) ? [] : operandTexts(operands, words);
  return [...found, ...texts.map((at) => ({ program, isShell: false, after: program, at }))];
}

/** Returns the indexes of operands that are texts. Any word after the first may be one. */
function operandTexts(
  { all, valued, unless }: NonNullable<Interpreter["operands"]>,
  words: readonly string[],
): readonly number[] {
  const first = words.findIndex((word, index) => !word.startsWith("-") && !valued.test(words[index - 1] ?? ""));
  if (first === -1 || words.slice(0, all === undefined ? undefined : first).some((word) => unless.test(word))) {
    return [];
  }
  if (all === undefined) return [first];
  return words.flatMap((_, index) => (index >= first + all ? [index] : []));
}
