export { findUnseenApprovals } from "../unseen-approvals.js";
export { pullRequestIn, putComment } from "../pull-request.js";
