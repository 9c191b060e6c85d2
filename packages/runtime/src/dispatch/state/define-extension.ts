import { VERSION } from "../../tool/version.js";
import { Attachments } from "./attachments.js";
import type { DispatcherExtension, ExtensionDefinition, TurnPart } from "./extension.js";
import type { Connector } from "./no-extensions.js";

/** Creates an extension of dispatchers: list it in `extensions`, and pass it to `dispatcher.use` for its `api`. */
export function defineExtension<Api = undefined, Part extends TurnPart = TurnPart>(
  definition: ExtensionDefinition<Api, Part>,
): DispatcherExtension<Api, Part> {
  const connector: Connector = {
    madeBy: VERSION,
    connect: (extensions, host) => new Attachments(extensions, host),
  };
  return { ...definition, connector };
}
