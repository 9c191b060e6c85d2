// What the compiler uses of the platform beside what the runtime declares in its own `platform.d.ts`.

interface ImportMeta {
  readonly url: string;
}
declare function structuredClone<Value>(value: Value): Value;
