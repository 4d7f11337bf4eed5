/**
 * Checks that no process listens on the address, and keeps other servers from doing so. A port shared by
 * workers is open to any process of the same user, so a second server would get half of the requests. Returns
 * a function that releases the claim.
 */
export function claimPort(host: string, port: number): () => void {
  // The kernel never shares a port that it has chosen.
  if (port === 0) return () => {};
  // Two servers that start together would both find the port free, but a socket name is unique.
  // An abstract name belongs to the same network namespace as the port, and ends with the process.
  const claim =
    process.platform === 'linux'
      ? Bun.listen({ unix: `\0tenor ${host.slice(0, 64)}:${port}`, socket: { data() {} } })
      : undefined;
  try {
    // Listening without sharing for a moment fails if another process listens.
    const options = { hostname: host, port, reusePort: false, development: false };
    Bun.serve({ ...options, fetch: () => new Response() }).stop(true);
  } catch (cause) {
    claim?.stop(true);
    throw cause;
  }
  return () => claim?.stop(true);
}
