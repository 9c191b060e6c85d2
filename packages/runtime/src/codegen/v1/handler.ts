import type {
  CheckAnswer,
  Display,
  ExecutionOptions,
  PermissionAnswer,
  PermissionRequest,
  ValidationContext,
} from "../../tool/definition.js";
import { type MarkedResult, NotExecuted } from "../../results/tool-result.js";
import { computeBeforeRunning } from "../../results/compute-before-running.js";
import type { ToolTypes } from "./tool-spec.js";

/** The function that does a tool's work. It returns a value of the output type, or `toolResult({ … })`. */
export type Execute<Input, Output, Context> = (
  input: Input,
  options: ExecutionOptions<Context>,
) => Output | MarkedResult | Promise<Output | MarkedResult>;

/** The declaration of a handler whose kind a plugin adds. */
interface KindSettings<Input, Context> {
  readonly declaration: object;
  /** Adds the bound values. Default: the input as it is. */
  readonly input?: ((input: Input, context: Context) => object) | undefined;
}

/** Creates the `execute` of a handler of a plugin's kind. `run` is the function that the plugin's package exports. */
export function kindHandler<Input, Context>(
  run: (declaration: never, input: never, options: never) => unknown,
  { declaration, input: sentOf }: KindSettings<Input, Context>,
): (input: Input, options: ExecutionOptions<Context>) => Promise<never> {
  return async (input, options) => {
    const sent = sentOf === undefined ? input : computeBeforeRunning("the input", () => sentOf(input, options.context));
    return (await run(declaration as never, sent as never, options as never)) as never;
  };
}

/** Creates the `execute` of a tool whose calls somebody else executes: the dispatcher does not call it. */
export function externalHandler<Input, Context>(): (input: Input, options: ExecutionOptions<Context>) => never {
  return () => {
    throw new NotExecuted("Somebody else executes its calls");
  };
}

/** A predicate that a spec calls `custom`. A throw counts as the strict answer. */
export type CustomPredicate<Input> = (input: Input) => boolean;

/** A semantic check that a spec calls `custom`: `true`, or the messages for the model. */
export type CustomCheck<Input, Context> = (
  input: Input,
  options: ValidationContext<Context>,
) => CheckAnswer | Promise<CheckAnswer>;

/** The function that a spec names under `describe`. It reads the members of the context at these paths only. */
export type CustomDescription<Context, Path extends string> = (context: MembersAt<Context, Path>) => string;

type MembersAt<Value, Path extends string> = {
  readonly [Name in Path extends `${infer First}.${string}` ? First : Path]: Name extends Path
    ? MemberOf<Value, Name>
    : MembersAt<MemberOf<Value, Name>, Path extends `${Name}.${infer Rest}` ? Rest : never>;
};

type MemberOf<Value, Name> = Name extends keyof Value ? Value[Name] : unknown;

/** The exports that a handler's module may have beyond those that its spec demands. */
interface OptionalExports<Input, Context> {
  /** Repairs raw input before coercion; a throw fails the call. */
  readonly prepare?: (raw: unknown) => unknown;
  /** May only tighten the dispatcher's permissions. */
  readonly permit?: (request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>;
  /** Called when the tools of a turn are assembled. */
  readonly isEnabled?: () => boolean;
  /** Status lines for a screen, in place of the templates of the spec. */
  readonly display?: Display<Input>;
}

/** The exports of a handler's module. `Own` is the context of an `execute` that runs elsewhere. */
export interface HandlerModule<Input, Output, Context, Own = Context> extends OptionalExports<Input, Context> {
  readonly execute: Execute<Input, Output, Own>;
}

/** The exports of a handler that loads on its first call; until then its tool counts as enabled. */
export interface LazyHandlerModule<Input, Output, Context, Own = Context> extends HandlerModule<
  Input,
  Output,
  Context,
  Own
> {}

/** The compile error of a handler's module that does not fit its spec. */
interface HandlerProblem<Message extends string> {
  readonly "hasp: this handler does not fit its spec": Message;
}

/** `unknown` if `Module` exports all that the spec demands, else a {@link HandlerProblem} with the remedy. */
export type HandlerCheck<Types extends ToolTypes, Module> = [MissingExports<Types, Module>] extends [never]
  ? [WrongExports<Types, Module>] extends [never]
    ? unknown
    : HandlerProblem<`In ${Types["handlerFile"]}, ${Listed<WrongExports<Types, Module>>} has a different type than the spec of ${Types["name"]} needs.`>
  : HandlerProblem<`${Types["handlerFile"]} must export ${Listed<MissingExports<Types, Module>>}: the spec of ${Types["name"]} needs it.`>;

type RequiredExport<Exports> = {
  [Key in keyof Exports]-?: object extends Pick<Exports, Key> ? never : Key;
}[keyof Exports];

type MissingExports<Types extends ToolTypes, Module> = Exclude<RequiredExport<Types["handler"]>, keyof Module>;

type WrongExports<Types extends ToolTypes, Module> = {
  [Key in keyof Types["handler"] & keyof Module]: Module[Key] extends Types["handler"][Key] ? never : Key;
}[keyof Types["handler"] & keyof Module];

type Listed<Key> = Key extends string ? `\`${Key}\`` : never;
