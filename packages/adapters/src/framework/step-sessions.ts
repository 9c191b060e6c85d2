import type { CallSession, CallProgress } from "@hasp/runtime";

interface StepCall {
  readonly callId: string;
  /** Equal for all calls of a response. */
  readonly step: string;
  readonly context: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
}

type InStep<Context> = <Value>(
  call: StepCall,
  body: (session: CallSession<Context>) => Promise<Value>,
) => Promise<Value>;

/** Creates one session for the calls of a step: any of their signals aborts it, and each gets its own progress. */
export function createStepSessions<Context>(conversation: string | undefined): InStep<Context> {
  interface Step {
    readonly session: CallSession<Context>;
    readonly abort: () => void;
    readonly listeners: Map<string, StepCall["onProgress"]>;
    outstanding: number;
  }
  const steps = new Map<string, Step>();

  function open({ step, context }: StepCall): Step {
    const controller = new AbortController();
    const listeners: Step["listeners"] = new Map();
    return {
      session: {
        step: controller,
        context: context as Context,
        conversation,
        signal: controller.signal,
        onProgress: (progress) => listeners.get(progress.callId)?.(progress),
      },
      abort: () => {
        controller.abort();
        // Calls that start later under this name do not belong to the aborted step.
        steps.delete(step);
      },
      listeners,
      outstanding: 0,
    };
  }

  return async (call, body) => {
    const known = steps.get(call.step);
    const step = known?.session.context === call.context && known !== undefined ? known : open(call);
    steps.set(call.step, step);
    step.outstanding += 1;
    step.listeners.set(call.callId, call.onProgress);
    if (call.signal?.aborted === true) step.abort();
    else call.signal?.addEventListener("abort", step.abort, { once: true });
    try {
      return await body(step.session);
    } finally {
      call.signal?.removeEventListener("abort", step.abort);
      step.outstanding -= 1;
      if (step.outstanding === 0 && steps.get(call.step) === step) steps.delete(call.step);
    }
  };
}
