/** A call store that kills its process right after a call has come to the state that `KILL_AT` names. */
export function deadly(store) {
  return {
    ...store,
    async advance(turnId, callId, from, to, patch) {
      const hasWon = await store.advance(turnId, callId, from, to, patch);
      if (hasWon && to === process.env["KILL_AT"]) process.kill(process.pid, "SIGKILL");
      return hasWon;
    },
  };
}
