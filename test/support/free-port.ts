/**
 * A port that nobody listens on, below those that systems give to outgoing connections: while a
 * server is down, its port must not go to a client that is trying to reach it.
 */
export function findFreePort(): number {
  for (let tries = 0; tries < 100; tries++) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Taken: try another one.
    }
  }
  throw new Error(`there is no free port from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT}`);
}

/** Nor may it go to another process of the same run: each has ports of its own. */
const PORT_COUNT = 1_500;
const FIRST_PORT = 20_000 + (Number(process.env.BUN_TEST_WORKER_ID ?? 0) % 8) * PORT_COUNT;
