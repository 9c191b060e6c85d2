// Generated code imports this module, which imports nothing of hasp.
export async function sendToQueue({ queue }, { id }) {
  return { sent: `${queue}:${id}` };
}
