import { paintPlain } from "@hasp/report";
import { noProgress, type Terminal } from "./terminal.js";

/** A recording, non-interactive terminal for tests. */
export interface RecordingTerminal extends Terminal {
  printed(): { readonly out: string; readonly error: string };
}

export function recordingTerminal(folder: string, changes: Partial<Omit<Terminal, "out">> = {}): RecordingTerminal {
  let out = "";
  let error = "";
  return {
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    clear: () => undefined,
    progress: noProgress,
    paint: paintPlain,
    columns: 100,
    isInteractive: false,
    questions: () => {
      throw new Error("Nobody is there to be asked.");
    },
    environment: {},
    define: () => undefined,
    folder,
    enter: () => undefined,
    ...changes,
    printed: () => ({ out, error }),
  };
}
