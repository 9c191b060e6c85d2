/** Receives the phase of a run and its progress. Never changes results. */
export type OnProgress = (phase: string, done?: number, total?: number) => void;

export const ignoreProgress: OnProgress = () => undefined;
