/**
 * A port that nobody listens on, below those that systems give to outgoing connections: while a
 * server is down, its port must not go to a client that is trying to reach it.
 */
export function freePort(): number {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Taken: try another one.
    }
  }
  throw new Error('there is no free port from 20000 to 32000');
}
