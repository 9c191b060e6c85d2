export { type HttpBaseUrl, httpConnection, type HttpConnection, type HttpConnectionOptions } from "./connection.js";
export { httpHandler } from "./handler.js";
export { base64, type BytesInput, type FileInput } from "./request/body.js";
export { publicFetch, type PublicFetch, type PublicRequest } from "./public-fetch.js";
export type { HttpAuth, HttpAuthScheme, SecretSource } from "./auth.js";
export { isPublicAddress, type TokenSource } from "@hasp/runtime";
export type { ResolvedAddress, Resolver } from "./network/vetted-client.js";
export type { BodyReader, FetchedResponse, FetchFunction } from "./network/fetch-transport.js";
export type * from "./request/http-request.js";
