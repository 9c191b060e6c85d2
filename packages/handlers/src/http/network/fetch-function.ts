/** As much of the platform's `fetch` as a connection uses. */
export type FetchFunction = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: Uint8Array;
    readonly redirect: "manual";
    readonly signal: AbortSignal;
  },
) => Promise<FetchedResponse>;

/** As much of a `Response` as a connection reads. */
export interface FetchedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  /** The body, read up to the limit of the connection. */
  readonly body: { getReader(): BodyReader } | null;
}

/** Reads a body piece by piece. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
