// Platform APIs that the compiler uses besides those that the runtime declares in its own `platform.d.ts`.

interface ImportMeta {
  readonly url: string;
}
declare function structuredClone<Value>(value: Value): Value;
