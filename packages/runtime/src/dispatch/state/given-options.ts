/** Options that are required if handlers need a context; else these may be given. */
export type GivenOptions<Options, Context, Free extends readonly unknown[] = readonly [options?: Options]> = [
  Context,
] extends [never]
  ? Free
  : undefined extends Context
    ? Free
    : readonly [options: Options & { readonly context: Context }];
