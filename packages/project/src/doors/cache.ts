export { openCache } from "../cache.js";
