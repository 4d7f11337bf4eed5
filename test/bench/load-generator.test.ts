import { expect, test } from 'bun:test';
import { runSockets } from '../../bench/load-generator.ts';

async function sendTo(status: number, body: string | null): Promise<number> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(body, { status }),
  });
  const load = { address: server.url.origin, targets: ['/'], headers: {}, connections: 2 };
  try {
    return await runSockets(load, 0.05);
  } finally {
    await server.stop(true);
  }
}

test('the client of the benchmarks counts responses with a body and those that are not modified', async () => {
  expect(await sendTo(200, 'body')).toBeGreaterThan(0);
  expect(await sendTo(304, null)).toBeGreaterThan(0);
});

test('the client of the benchmarks rejects if a server responds with an error', async () => {
  await expect(sendTo(500, 'failed')).rejects.toThrow('HTTP/1.1 500');
});
