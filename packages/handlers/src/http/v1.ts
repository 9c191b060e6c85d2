export { httpConnection, type HttpConnection } from "./connection.js";
export { httpHandler } from "./handler.js";
export { publicFetch } from "./public-fetch.js";
export type { HttpRequest } from "./request/http-request.js";
