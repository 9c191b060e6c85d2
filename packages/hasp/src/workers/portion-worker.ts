// A thread that takes part in work, and sends the records of each portion that it has done.
import { parentPort, workerData } from "node:worker_threads";
import { createRecordBook } from "../cache/record-book.js";
import { projectFiles } from "../host/project/project-files.js";
import { type SharedWork, workOnPortions } from "./portions.js";

// Only `workAhead` starts this file.
const work = workerData as SharedWork;
await workOnPortions(work, projectFiles(work.root), new Map(), createRecordBook, (book) => {
  const { main = Buffer.of() } = book.pack();
  // The bytes change hands: nobody copies them once more.
  const records = new Uint8Array(main);
  parentPort?.postMessage(records, [records.buffer]);
});
