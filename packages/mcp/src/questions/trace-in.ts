import type { CallTrace } from "@hasp/runtime";

/** The forms of the parts: handlers pass them on in headers, and a client can write anything. */
const FORMS: { readonly [part in keyof Required<CallTrace>]: RegExp } = {
  traceparent: /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/u,
  tracestate: /^[\u0020-\u007e]{1,512}$/u,
  baggage: /^[\u0020-\u007e]{1,8192}$/u,
};

/** Reads the trace in the `_meta` of a request; parts that do not conform to the standards are left out. */
export function traceIn(meta: object | undefined): CallTrace | undefined {
  if (meta === undefined) return undefined;
  const parts = Object.entries(FORMS).flatMap(([part, form]) => {
    const value: unknown = Object.hasOwn(meta, part) ? Reflect.get(meta, part) : undefined;
    return typeof value === "string" && form.test(value) ? [[part, value]] : [];
  });
  return parts.length === 0 ? undefined : (Object.fromEntries(parts) as CallTrace);
}
