// A service of the benchmark of handlers, in a process of its own: its time is not the client's.
import { createServer } from "node:http";

const body = JSON.stringify({ items: [{ id: 1, name: "Ada" }], total: 1 });
const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
