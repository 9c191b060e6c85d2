import type { OnProgress } from "../../../../compiler/src/diagnostics/progress.js";
import { cutToWidth } from "../../../../report/src/reporters/display-width.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";

/** A status line about the running work, removed before anything else is printed. */
export interface ProgressLine {
  readonly report: OnProgress;
  /** Removes the line. A later report begins a new one. */
  end(): void;
}

interface ProgressOutput {
  write(text: string): void;
  now(): number;
  readonly columns: number;
}

/** Shorter work shows no line. */
const QUIET_MILLISECONDS = 300;
/** Least time between two changes of the line. */
const FRAME_MILLISECONDS = 80;

export const noProgress: ProgressLine = { report: () => undefined, end: () => undefined };

/** Creates a progress line, which appears after a delay even if nothing new is reported. */
export function createProgressLine({ write, now, columns }: ProgressOutput): ProgressLine {
  let started: number | undefined;
  let drawn: number | undefined;
  let line = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    // Return to the first column and erase the line.
    write(`\r${cutToWidth(line, columns - 1)}\u001B[K`);
    drawn = now();
  };
  return {
    report(phase, done, total) {
      line = total === undefined ? `${visibleText(phase)} …` : `${visibleText(phase)} ${done ?? 0}/${total}`;
      const time = now();
      if (started === undefined) {
        started = time;
        timer = setTimeout(draw, QUIET_MILLISECONDS);
        timer.unref();
      }
      // Work that never yields leaves the timer no chance.
      if (time - started < QUIET_MILLISECONDS || time - (drawn ?? 0) < FRAME_MILLISECONDS) return;
      draw();
    },
    end() {
      clearTimeout(timer);
      if (drawn !== undefined) write("\r\u001B[K");
      started = undefined;
      drawn = undefined;
    },
  };
}
