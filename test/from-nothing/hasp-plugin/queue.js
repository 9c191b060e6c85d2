// What generated code imports; it needs nothing of hasp.
export async function sendToQueue({ queue }, { id }) {
  return { sent: `${queue}:${id}` };
}
