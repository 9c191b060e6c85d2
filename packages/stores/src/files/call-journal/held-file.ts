import { closeSync, fstatSync, openSync } from "node:fs";

/** How long a file stays open that nobody uses. Windows does not say whether an open file was removed. */
const HOLD_MS = process.platform === "win32" ? 0 : 50;

/** A file that stays open for a moment after each use, since the next one often follows at once. */
export class HeldFile {
  readonly #path: string;
  readonly #flags: number;
  #file: number | undefined;
  #isUsed = false;
  #wasUsed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, flags: number) {
    this.#path = path;
    this.#flags = flags;
  }

  /** The file of this name, open until {@link release}; one user at a time. Throws where it cannot be opened. */
  take(): number {
    if (this.#file !== undefined && fstatSync(this.#file).nlink === 0) this.close();
    this.#file ??= openSync(this.#path, this.#flags);
    this.#isUsed = this.#wasUsed = true;
    return this.#file;
  }

  release(): void {
    this.#isUsed = false;
    this.#timer ??= setTimeout(() => this.#closeIfIdle(), HOLD_MS).unref();
  }

  /** Closes the file; it is opened again when it is next taken. Not for a file in use. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #closeIfIdle(): void {
    if (this.#isUsed || this.#wasUsed) {
      this.#wasUsed = false;
      this.#timer?.refresh();
    } else {
      this.close();
    }
  }
}
