/**
 * Makes sure that nobody serves at that address yet, and keeps other supervisors from beginning
 * to. Workers share the port, and the kernel lets any process of the same user share it with
 * them: without this a second server would get half of the requests. Returns what gives it up.
 */
export function claimPort(host: string, port: number): () => void {
  // The kernel never shares a port that it picks.
  if (port === 0) return () => {};
  const claim = claimSocketName(`${host.slice(0, 64)}:${port}`);
  try {
    // Alone, for a moment: that is refused where anybody listens, whether they share or not.
    const alone = { hostname: host, port, reusePort: false, development: false };
    Bun.serve({ ...alone, fetch: () => new Response() }).stop(true);
  } catch (cause) {
    claim.stop(true);
    throw cause;
  }
  return () => claim.stop(true);
}

/** Two that start at the same instant would both find the port free; a name is taken only once. */
function claimSocketName(address: string) {
  // An abstract name: it is of the same network as the port, and ends with the process.
  return Bun.listen({ unix: `\0tenor ${address}`, socket: { data() {} } });
}
