import type { OnProgress } from "../../../../compiler/src/diagnostics/progress.js";
import { cutToWidth } from "../../../../report/src/reporters/display-width.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";

/** A line that says what runs and how far it has come. It is gone before anything else is printed. */
export interface ProgressLine {
  readonly report: OnProgress;
  /** Removes the line. What is reported later begins a new one. */
  end(): void;
}

/** What a progress line needs of the outside world. */
interface ProgressOutput {
  write(text: string): void;
  /** Milliseconds since some moment. */
  now(): number;
  readonly columns: number;
}

/** Work that takes less is over before anybody wonders, in milliseconds. */
const QUIET_MILLISECONDS = 300;
/** Least time between two changes of the line. */
const FRAME_MILLISECONDS = 80;

/** For output that is not a terminal. */
export const noProgress: ProgressLine = { report: () => undefined, end: () => undefined };

/** Creates a progress line. It appears once work has gone on for a while, even if nothing new is reported. */
export function createProgressLine({ write, now, columns }: ProgressOutput): ProgressLine {
  let started: number | undefined;
  let drawn: number | undefined;
  let line = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    // To the first column, and erase to the end of the line.
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
      // Work that never waits leaves the timer no chance.
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
