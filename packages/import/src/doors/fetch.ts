export { fetchRemote } from "../sources/fetch.js";
