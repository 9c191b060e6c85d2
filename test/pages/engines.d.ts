// The documented signatures of engines of durable execution, as far as `durable-calls.md` uses them: to install the engines
// for a page would take longer than all other packages.

declare module "@temporalio/workflow" {
  interface SignalDefinition {
    readonly name: string;
  }
  export function condition(isMet: () => boolean, timeout: number | string): Promise<boolean>;
  export function defineSignal(name: string): SignalDefinition;
  export function proxyActivities<Activities>(options: { startToCloseTimeout: string | number }): Activities;
  export function setHandler(definition: SignalDefinition, handler: () => void | Promise<void>): void;
}

declare module "@temporalio/client" {
  export class Client {
    readonly workflow: {
      getHandle(workflowId: string): { signal(definition: { readonly name: string }): Promise<void> };
    };
  }
}

declare module "@restatedev/restate-sdk" {
  export type RestatePromise<T> = Promise<T> & {
    map<U>(mapper: (value?: T, failure?: Error) => U): RestatePromise<U>;
    orTimeout(milliseconds: number): RestatePromise<T>;
  };
  type DurablePromise<T> = Promise<T> & {
    get(): RestatePromise<T>;
    resolve(value?: T): Promise<void>;
  };
  export interface WorkflowSharedContext {
    readonly key: string;
    readonly date: { now(): Promise<number> };
    run<T>(name: string, action: () => Promise<T>): RestatePromise<T>;
    promise<T>(name: string): DurablePromise<T>;
  }
  export type WorkflowContext = WorkflowSharedContext;
  export function workflow<Handlers>(definition: { name: string; handlers: Handlers }): { readonly name: string };
}

declare module "inngest" {
  interface Step {
    run<T>(id: string, action: () => Promise<T>): Promise<T>;
    waitForEvent(
      id: string,
      options: { event: string; timeout: string | number | Date; if?: string },
    ): Promise<unknown>;
  }
  export class Inngest {
    constructor(options: { id: string });
    createFunction(
      options: { id: string; triggers: { event: string } },
      handler: (context: { event: { readonly data: unknown }; step: Step }) => Promise<unknown>,
    ): object;
    send(event: { name: string; data: object }): Promise<unknown>;
  }
}

declare module "bullmq" {
  interface Connection {
    readonly connection: { host: string; port: number };
  }
  export class Queue<Data> {
    constructor(name: string, options: Connection);
    add(name: string, data: Data, options?: { jobId?: string; delay?: number }): Promise<unknown>;
  }
  export const Worker: new <Data>(
    name: string,
    processor: (job: { readonly data: Data }) => Promise<unknown>,
    options: Connection,
  ) => object;
}
