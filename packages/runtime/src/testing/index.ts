export { callStoreConformance, type ConformanceCase } from "../calls/call-store-conformance.js";
