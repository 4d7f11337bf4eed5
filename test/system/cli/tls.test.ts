import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import {
  type Certificate,
  createAuthority,
  explainMissingOpenssl,
} from '../../support/certificates.ts';
import { retryUntil } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { runTenor, startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, TOKEN } from '../../support/workers.ts';

const missing = explainMissingOpenssl();
if (missing) console.log(`TLS is not tested: ${missing}`);

const CLIENTS = 20;
const WORKERS = 2;

describe.if(missing === undefined && isLinux)('tenor serve with TLS_CERT and TLS_KEY', () => {
  let folder: string;
  let issue: ReturnType<typeof createAuthority>;
  let settings: Record<string, string> & { TLS_CERT: string; TLS_KEY: string };
  const port = findFreePort();
  beforeAll(() => {
    folder = createTempFolder();
    issue = createAuthority(folder);
    settings = {
      DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
      API_TOKEN: TOKEN,
      SAMPLE_DATA: 'off',
      PORT: String(port),
      TLS_CERT: join(folder, 'tls.pem'),
      TLS_KEY: join(folder, 'tls.key'),
    };
    write(issue('localhost'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = ({ certificate, key }: Certificate) => {
    writeFileSync(settings.TLS_CERT, certificate);
    writeFileSync(settings.TLS_KEY, key);
  };
  const listSerials = (count: number) =>
    Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<string>((resolve, reject) => {
            const options = { host: '127.0.0.1', port, rejectUnauthorized: false };
            const socket = connect(options, () => {
              resolve(socket.getPeerCertificate().serialNumber);
              socket.destroy();
            }).on('error', reject);
          }),
      ),
    );

  test('rejects what it cannot serve with in one line, and creates no database', async () => {
    const [alone, invalid] = await Promise.all([
      runTenor(['serve'], { ...settings, TLS_KEY: '' }),
      runTenor(['serve'], { ...settings, TLS_KEY: settings.TLS_CERT }),
    ]);
    expect([alone.status, invalid.status]).toEqual([1, 1]);
    expect(alone.err).toBe(
      'tenor: TLS_KEY must be set too: TLS_CERT and TLS_KEY belong together\n',
    );
    expect(invalid.err).toMatch(/^tenor: TLS_KEY .*tls.pem has no private key in PEM.*\n$/);
    expect(await Bun.file(join(folder, 'x.db')).exists()).toBe(false);
  });

  test('takes up another certificate in all workers, and shares its port with no other server', async () => {
    const server = await startTenorServer({ ...settings, WORKERS: String(WORKERS) });
    expect(server.out()).toContain(`listening on https://127.0.0.1:${port}`);
    expect(server.out()).toContain(`"https://127.0.0.1:${port}/2.0/bnb/quote?limit=5"`);
    const [health, second] = await Promise.all([
      runTenor(['health'], settings),
      runTenor(['serve'], settings),
    ]);
    expect([health.status, health.out]).toEqual([0, `https://127.0.0.1:${port} is ready\n`]);
    expect(second.err).toMatch(/^tenor: port .* is in use.*\n$/);
    const [serial] = await listSerials(1);
    const counts = { answered: 0, lost: 0 };
    let isStopped = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isStopped) await sendUntilClosed(port, counts, () => isStopped);
    });
    write(issue('localhost'));
    await retryUntil(20_000, async () => expect(await listSerials(20)).not.toContain(serial));
    isStopped = true;
    await Promise.all(clients);
    expect(counts.answered).toBeGreaterThan(CLIENTS);
    // What is on its way when the old listener of a worker closes, and is sent again.
    expect(counts.lost).toBeLessThanOrEqual(WORKERS * CLIENTS);
    await server.stop();
    expect(server.err().match(/"tls.changed"/g)).toHaveLength(WORKERS);
    expect(server.err()).not.toContain('"tls.failed"');
  });
});

const REQUEST = `GET /2.0/bnb/quote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

/** Sends a request after each response, until one closes the connection. */
function sendUntilClosed(
  port: number,
  counts: { answered: number; lost: number },
  isStopped: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    let isWaiting = true;
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () =>
      socket.write(REQUEST),
    );
    socket.on('data', (bytes) => {
      counts.answered++;
      isWaiting = !(/connection: close/i.test(String(bytes)) || isStopped());
      if (isWaiting) socket.write(REQUEST);
      else socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (isWaiting) counts.lost++;
      resolve();
    });
  });
}
