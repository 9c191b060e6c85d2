import { toRecord } from "@hasp/base/json";
import {
  DISPATCHER_OPTIONS,
  aFunction,
  anAmount,
  anObject,
  aText,
  checkShape,
  listOf,
  type OptionKind,
  refuseOldOptions,
} from "@hasp/runtime/internal";
import type { DispatcherOptions, FlowSetting, PermissionPolicy, Permissions } from "@hasp/runtime";
import type { McpQuestionsOptions } from "../questions/mcp-questions.js";
import type { RegisterMcpToolsOptions } from "../serving/register-mcp-tools.js";

export interface McpCaller {
  /** The subject of the token. An answer to a question counts only for the principal that was asked. */
  readonly principal: string;
  /** The caller's toolsets. Required if the handler has `toolsets`, and an error if it has none. */
  readonly toolsets?: readonly string[] | undefined;
}

export interface McpToolset<Name extends string = string> {
  readonly tools: readonly Name[];
  /**
   * Its policy, as `hasp build` compiles one. Its rules come before those of `permissions`. If a caller has several
   * toolsets, a tool has the policy of the first that holds it. The strictest mode applies, that of `permissions` included.
   */
  readonly policy?: PermissionPolicy | undefined;
  /** Its setting of information flow. If a caller has several toolsets, the strictest applies. */
  readonly flow?: FlowSetting | undefined;
}

interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?:
    | readonly {
        readonly src: string;
        readonly mimeType?: string | undefined;
        readonly sizes?: readonly string[] | undefined;
        readonly theme?: "light" | "dark" | undefined;
      }[]
    | undefined;
}

/** Identifies a sender, within `hookTimeoutMs`. A `Response` is sent as it is; `undefined` is answered with 401. */
type McpAuthenticate = (
  request: Request,
) => McpCaller | Response | undefined | Promise<McpCaller | Response | undefined>;

/** Settings of `createMcpHandler`. It attaches `durable`; without it, `tasks` are only for a process that lives on. */
export interface McpHandlerOptions<Context = unknown, Name extends string = string>
  extends
    Pick<DispatcherOptions<Context, Name>, PassedOption>,
    Pick<RegisterMcpToolsOptions<Context>, "answerLink" | "durable" | "onProblem" | "pageSize" | "tasks"> {
  /** The permissions of calls. Clients are asked if they can be; `ask` is theirs. */
  readonly permissions?: Omit<Permissions<Context, NoInfer<Name>>, "ask"> | undefined;
  /** Limits a caller by the number of JSON-RPC messages. A `Response` refuses them unread; `undefined` accepts. */
  readonly limit?:
    | ((caller: McpCaller | undefined, messages: number) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /**
   * Refuses a message by the name of a tool that it calls, such as with 403 and the scopes that offer the tool. Not called
   * for calls of programs.
   */
  readonly refuseCall?:
    | ((caller: McpCaller | undefined, tool: string) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Identifies callers. Without it, requests have no principal: only for a server that nobody else reaches. */
  readonly authenticate?: McpAuthenticate | undefined;
  /** The tools of each toolset, of which callers are offered some. Default: everybody is offered all. */
  readonly toolsets?: { readonly [toolset: string]: readonly NoInfer<Name>[] | McpToolset<NoInfer<Name>> } | undefined;
  /** Creates the context of handlers, checks and hooks for each call. */
  readonly context?: ((caller: McpCaller | undefined) => Context | Promise<Context>) | undefined;
  /** The server's description for clients. Default: `mcp-server`, version 0. */
  readonly info?: McpServerInfo | undefined;
  /** The text for prompts that says how the tools are used together. Some clients cut it after 2048 characters. */
  readonly instructions?: string | undefined;
  /**
   * The server's host names, without ports. Others are refused, in `Host` and `Origin`: a page of another site could
   * otherwise call tools through its reader's browser. Default: `localhost`, `127.0.0.1`, `[::1]`.
   */
  readonly hosts?: readonly string[] | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** Settings of questions to the people at clients. Processes that serve the same clients need the same key. */
  readonly questions?: McpQuestionsOptions | undefined;
  /** Imports `@modelcontextprotocol/server`, if a bundler cannot do so by itself. */
  readonly sdk?: (() => Promise<object>) | undefined;
}

/** The options that a handler passes on to its dispatchers; a missing one is a type error below. */
const PASSED_OPTIONS = [
  "callTracker",
  "env",
  "extensions",
  "external",
  "features",
  "flow",
  "hookTimeoutMs",
  "hooks",
  "maxConcurrency",
  "onEvent",
] as const;

type PassedOption = (typeof PASSED_OPTIONS)[number];

export function pickOptions<Options extends { readonly [name in PassedOption]?: unknown }>(
  options: Options,
): Pick<Options, PassedOption> {
  return toRecord(PASSED_OPTIONS, (name) => options[name]) as Pick<Options, PassedOption>;
}

// The marks let a bundler drop unused code.
const OPTIONS: { readonly [option in keyof Required<McpHandlerOptions>]: OptionKind } = {
  .../* @__PURE__ */ pickOptions(DISPATCHER_OPTIONS),
  durable: anObject,
  permissions: anObject,
  authenticate: aFunction,
  limit: aFunction,
  refuseCall: aFunction,
  toolsets: anObject,
  context: aFunction,
  info: anObject,
  instructions: aText,
  pageSize: anAmount,
  hosts: /* @__PURE__ */ listOf("host names", aText),
  maxBodyBytes: anAmount,
  questions: anObject,
  tasks: anObject,
  answerLink: aFunction,
  onProblem: aFunction,
  sdk: aFunction,
};

export function checkHandlerOptions(options: McpHandlerOptions<never, never>): void {
  refuseOldOptions(options, refuse, "durable");
  checkShape(options, OPTIONS, "", refuse);
  const { permissions = {} } = options;
  if ("ask" in permissions) refuse("`permissions.ask`", "cannot be passed: the clients' users are asked");
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createMcpHandler: ${path} ${what}.`);
}
