import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import { ROOT } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';

setDefaultTimeout(120_000);

const MIB = 1_048_576;
const INFLATED_BYTES = 1_024 * MIB;
/** Without a bound, it is more than what is sent inflates to. */
const MAX_RSS_BYTES = 150 * MIB;

const COMPRESSORS = {
  gzip: () => createGzip(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: () => createZstdCompress(),
};
type Encoding = keyof typeof COMPRESSORS;

/** Zeros, which take few bytes. */
async function compressZeros(encoding: Encoding): Promise<Buffer> {
  const compressor = COMPRESSORS[encoding]();
  const zeros = Buffer.alloc(MIB);
  const chunks = compressor.toArray();
  for (let bytes = 0; bytes < INFLATED_BYTES; bytes += MIB)
    if (!compressor.write(zeros)) await new Promise((resolve) => compressor.once('drain', resolve));
  compressor.end();
  return Buffer.concat((await chunks) as Buffer[]);
}

let server: Server;
let address = '';
let send: (socket: Socket) => void;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => send(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => void server.close());

const head = (lines: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${lines}\r\n`;

function sendEndlessly(socket: Socket): void {
  const chunk = Buffer.alloc(MIB, 'x');
  socket.write(head(''));
  let bytes = 0;
  const write = () => {
    while (bytes < 2 * INFLATED_BYTES) {
      bytes += MIB;
      if (!socket.write(chunk)) return void socket.once('drain', write);
    }
    socket.end();
  };
  write();
}

/** What reading from the source fails with, ten times over, and the memory that it took. */
async function read(script: string, env: Readonly<Record<string, string>> = {}) {
  const program = `
    const messages = new Set();
    for (let attempt = 0; attempt < 10; attempt++)
      await (async () => { ${script} })().catch(({ message }) => messages.add(message));
    console.log(JSON.stringify({
      messages: [...messages],
      rss: 1024 * Number(/VmHWM:\\s+(\\d+)/.exec(await Bun.file('/proc/self/status').text())[1]),
    }));`;
  const child = spawnChild([process.execPath, '-e', program], { env: { ...process.env, ...env } });
  const { messages, rss } = JSON.parse(await new Response(child.stdout).text());
  expect(rss).toBeLessThan(MAX_RSS_BYTES);
  return messages;
}

const VERIFY = () => `
  const { Tenor } = await import('${ROOT}/clients/typescript/src/index.ts');
  await new Tenor({ baseUrl: '${address}', token: 'token', tries: 1 }).verify();`;

describe.each(Object.keys(COMPRESSORS) as Encoding[])('a source that sends %s', (encoding) => {
  test('of a few bytes that inflate to a gigabyte takes no memory', async () => {
    const body = await compressZeros(encoding);
    const encoded = `Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n`;
    send = (socket) => void socket.end(Buffer.concat([Buffer.from(head(encoded)), body]));
    expect(await read(VERIFY())).toEqual([CHECKPOINT_MESSAGE()]);
  });
});

const CHECKPOINT_MESSAGE = () =>
  `a checkpoint can have 4,096 bytes at most, and ${address}/ledger/checkpoint sends more`;

test('a source that sends a response without end takes no memory', async () => {
  send = sendEndlessly;
  expect(await read(VERIFY())).toEqual([CHECKPOINT_MESSAGE()]);
});

test('a bucket that sends a file without end takes no memory', async () => {
  send = sendEndlessly;
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const script = `
    const { openMirrorTarget } = await import('${ROOT}/src/mirror/mirror-target.ts');
    await (await openMirrorTarget('s3://mirror').read('latest.json')).text();`;
  expect(await read(script, { ...keys, AWS_ENDPOINT_URL: address })).toEqual([
    'latest.json can have 1,024 bytes at most, and latest.json sends more',
  ]);
});
