// The documented signatures of engines of durable execution, as far as `durable-engines.md` uses them: to install the engines
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
