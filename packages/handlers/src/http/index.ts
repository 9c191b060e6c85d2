export { httpConnection } from "./connection.js";
export { httpHandler } from "./handler.js";
export { base64 } from "./request/body.js";
export { publicFetch, type PublicFetch, type PublicRequest } from "./public-fetch.js";

export type { HttpBaseUrl, HttpConnection, HttpConnectionOptions } from "./connection.js";
export type { HttpAuth, HttpAuthScheme, SecretSource } from "./auth.js";
export { isPublicAddress } from "@hasp/runtime";
export type { ResolvedAddress, Resolver } from "./network/vetted-client.js";
export type { BodyReader, FetchedResponse, FetchFunction } from "./network/fetch-transport.js";
export type { BytesInput, FileInput } from "./request/body.js";
export type { TokenSource } from "@hasp/runtime";
export type * from "./request/http-request.js";
