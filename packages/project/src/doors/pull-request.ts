export { pullRequestIn, putComment } from "../pull-request.js";
