export { httpConnection, type HttpConnection, type HttpConnectionOptions } from "./connection.js";
export { httpHandler } from "./handler.js";
export { base64 } from "./request/body.js";
export { publicFetch } from "./public-fetch.js";
export { isPublicAddress } from "@hasp/base/declared";
export type { HttpDeclaration, HttpRequest } from "./request/http-request.js";
