/** An optional peer: workflows that Postgres keeps. */
declare module "@dbos-inc/dbos-sdk" {
  interface WorkflowHandle<Value> {
    getStatus(): Promise<{ readonly input?: unknown[] } | null>;
    getResult(): Promise<Value>;
  }
  type Workflow<Args extends unknown[], Value> = (...args: Args) => Promise<Value>;
  export const DBOS: {
    registerWorkflow<Args extends unknown[], Value>(
      workflow: Workflow<Args, Value>,
      config: { name: string },
    ): Workflow<Args, Value>;
    startWorkflow<Args extends unknown[], Value>(
      workflow: Workflow<Args, Value>,
      params: { workflowID: string; queueName?: string },
    ): (...args: Args) => Promise<WorkflowHandle<Value>>;
    retrieveWorkflow<Value>(workflowID: string): WorkflowHandle<Value>;
    getWorkflowStatus(workflowID: string): Promise<object | null>;
    listWorkflows(filter: {
      workflowName: string;
      status: "PENDING";
      loadInput: boolean;
      loadOutput: boolean;
    }): Promise<readonly { readonly workflowID: string }[]>;
    runStep<Value>(step: () => Promise<Value>, config: { name: string }): Promise<Value>;
    send(workflowID: string, message: unknown, topic: string): Promise<void>;
    recv<Value>(topic: string, options: { deadlineEpochMS: number }): Promise<Value | null>;
    setEvent(key: string, value: unknown): Promise<void>;
    getEvent<Value>(workflowID: string, key: string, options: { timeoutSeconds: number }): Promise<Value | null>;
  };
}
