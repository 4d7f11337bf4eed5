import { afterAll, beforeAll, describe, expect, jest, test } from 'bun:test';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import {
  type Certificate as ReadCertificate,
  readCertificate,
} from '../../src/http/tls/certificate.ts';
import { getCertificateFiles, startCertificateReload } from '../../src/http/tls/tls-status.ts';
import { InvalidSettingError } from '../../src/settings.ts';
import {
  type Certificate,
  createAuthority,
  explainMissingOpenssl,
} from '../support/certificates.ts';
import { retryUntil } from '../support/eventually.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createFilledStore, createTempFolder, type TestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

const missing = explainMissingOpenssl();
if (missing) console.log(`TLS is not tested: ${missing}`);

test('TLS_CERT and TLS_KEY are set together or not at all', () => {
  expect(getCertificateFiles({ tlsCert: '', tlsKey: '' })).toBeUndefined();
  expect(() => getCertificateFiles({ tlsCert: 'x', tlsKey: '' })).toThrow(InvalidSettingError);
  expect(() => getCertificateFiles({ tlsCert: '', tlsKey: 'x' })).toThrow(
    'TLS_CERT must be set too',
  );
});

describe.if(missing === undefined)('a certificate', () => {
  let folder: string;
  let first: Certificate;
  let second: Certificate;
  let expired: Certificate;
  let ca: string;
  beforeAll(async () => {
    folder = createTempFolder();
    const issue = createAuthority(folder);
    first = issue('localhost');
    second = issue('localhost', 3);
    expired = issue('localhost', -1);
    ca = await Bun.file(join(folder, 'ca.pem')).text();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = ({ certificate, key }: Certificate, files = makeFiles()) => {
    writeFileSync(files.cert, certificate);
    writeFileSync(files.key, key);
    return files;
  };
  const makeFiles = () => {
    const path = join(folder, crypto.randomUUID());
    mkdirSync(path);
    return { cert: join(path, 'cert.pem'), key: join(path, 'key.pem') };
  };

  test('is read with those of its issuers', () => {
    const files = write({ ...first, certificate: first.certificate + ca });
    const { cert, expiresAt } = readCertificate(files);
    expect(cert).toBe(first.certificate + ca);
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
  });

  test('that has expired is read, and warned of', () => {
    const files = write(expired);
    const events: LogEvent[] = [];
    const certificate = readCertificate(files);
    startCertificateReload({
      files,
      certificate,
      emit: (event) => events.push(event),
      onChange() {},
    })();
    const expiresAt = certificate.expiresAt.toISOString();
    expect(events).toEqual([{ event: 'tls.expiring', file: files.cert, expiresAt }]);
  });

  test.each([
    ['of another key', () => write({ ...first, key: second.key }), 'is not the key of the first'],
    ['behind its issuer', () => write({ ...first, certificate: ca + first.certificate }), 'first'],
    [
      'that is missing',
      () => ({ ...write(first), cert: '/nowhere' }),
      'TLS_CERT /nowhere does not exist',
    ],
    ['that is a folder', () => ({ ...write(first), cert: folder }), 'is a folder'],
    [
      'whose key is missing',
      () => ({ ...write(first), key: '/nowhere' }),
      'TLS_KEY /nowhere does not exist',
    ],
    ['that is not PEM', () => write({ ...first, certificate: 'x' }), 'has no certificate in PEM'],
    ['that is empty', () => write({ ...first, certificate: '' }), 'has no certificate in PEM'],
    [
      'that is half written',
      () => write({ ...first, certificate: first.certificate.slice(0, 300) }),
      'has a damaged certificate',
    ],
    [
      'before a damaged one of its issuer',
      () => write({ ...first, certificate: first.certificate + ca.slice(0, 60) + ca.slice(120) }),
      'cannot be used (',
    ],
    ['whose key is not PEM', () => write({ ...first, key: 'x' }), 'has no private key in PEM'],
    [
      'whose key is half written',
      () => write({ ...first, key: first.key.slice(0, 100) }),
      'has a private key that is damaged',
    ],
    ['whose key is encrypted', () => write({ ...first, key: encrypt(first.key) }), 'is encrypted'],
  ])('%s is rejected', (_, prepare, problem) => {
    const files = prepare();
    expect(() => readCertificate(files)).toThrow(problem);
  });

  describe('that changes', () => {
    /** Follows files that start with the first certificate; `seen` has those that were taken up. */
    const follow = (files: { cert: string; key: string }) => {
      const seen: ReadCertificate[] = [];
      const events: LogEvent[] = [];
      const stop = startCertificateReload({
        files,
        certificate: readCertificate(files),
        emit: (event) => events.push(event),
        onChange: (certificate) => seen.push(certificate),
        pollIntervalMs: 5,
      });
      const waitFor = (certificates: readonly Certificate[]) =>
        retryUntil(5_000, async () =>
          expect(seen.map(({ cert }) => cert)).toEqual(
            certificates.map(({ certificate }) => certificate),
          ),
        );
      return { seen, events, stop, waitFor };
    };

    test('is taken up if the files are written', async () => {
      const files = write(first);
      const { stop, waitFor, events } = follow(files);
      write(second, files);
      await waitFor([second]);
      write(first, files);
      await waitFor([second, first]);
      stop();
      expect(events.map(({ event }) => event)).toEqual(['tls.changed', 'tls.changed']);
    });

    test('is not reported while its files are being written, and once if they stay as they are', async () => {
      const files = write(first);
      jest.useFakeTimers();
      const { stop, events } = follow(files);
      writeFileSync(files.cert, 'x');
      jest.advanceTimersByTime(5);
      writeFileSync(files.cert, 'half of it');
      jest.advanceTimersByTime(5);
      expect(events).toEqual([]);
      jest.advanceTimersByTime(50);
      stop();
      jest.useRealTimers();
      expect(events.map(({ event }) => event)).toEqual(['tls.failed']);
    });

    test('is taken up if the files are renamed', async () => {
      const files = write(first);
      const { stop, waitFor } = follow(files);
      const next = write(second);
      renameSync(next.cert, files.cert);
      renameSync(next.key, files.key);
      await waitFor([second]);
      stop();
    });

    test('is taken up if a link to their folder is replaced', async () => {
      const link = join(folder, 'current');
      symlinkSync(join(write(first).cert, '..'), link);
      const { stop, waitFor } = follow({
        cert: join(link, 'cert.pem'),
        key: join(link, 'key.pem'),
      });
      symlinkSync(join(write(second).cert, '..'), `${link}.new`);
      renameSync(`${link}.new`, link);
      await waitFor([second]);
      stop();
    });

    test('stays in use while the files do not fit, which is logged once', async () => {
      const files = write(first);
      const { stop, seen, waitFor, events } = follow(files);
      writeFileSync(files.key, second.key);
      await retryUntil(5_000, async () => expect(events).not.toEqual([]));
      expect(seen).toEqual([]);
      rmSync(files.cert);
      await retryUntil(5_000, async () => expect(events.length).toBeGreaterThan(1));
      expect(events).toEqual([
        { event: 'tls.failed', cause: expect.stringContaining('is not the key of the first') },
        { event: 'tls.failed', cause: expect.stringContaining('does not exist') },
      ]);
      writeFileSync(files.cert, second.certificate);
      await waitFor([second]);
      stop();
    });

    test('stays in use if the files are written again as they were', async () => {
      const files = write(first);
      const { stop, waitFor, events } = follow(files);
      write(first, files);
      chmodSync(files.key, 0o600);
      write(second, files);
      await waitFor([second]);
      stop();
      expect(events.map(({ event }) => event)).toEqual(['tls.changed']);
    });
  });

  describe('of a server', () => {
    let store: TestStore;
    let server: Awaited<ReturnType<typeof startServer>>;
    let files: { cert: string; key: string };
    const events: LogEvent[] = [];
    beforeAll(async () => {
      store = await createFilledStore();
      files = write(first);
      server = await startServer({
        store,
        catalogue,
        settings: { ...SERVER_SETTINGS, tlsCert: files.cert, tlsKey: files.key },
        emit: (event) => events.push(event),
      });
    });
    afterAll(async () => {
      await server.stop();
      await store.remove();
    });
    const open = () =>
      new Promise<TLSSocket>((resolve, reject) => {
        const { port } = new URL(server.address);
        const options = { host: '127.0.0.1', port: Number(port), ca, servername: 'localhost' };
        const socket = connect(options, () => resolve(socket));
        socket.on('error', reject);
      });
    const QUOTES = `GET /2.0/bnb/quote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    const ask = (socket: TLSSocket) =>
      new Promise<string>((resolve, reject) => {
        const onClose = () => reject(new Error('the connection was closed'));
        socket.once('close', onClose);
        socket.once('data', (data) => {
          socket.off('close', onClose);
          resolve(String(data));
        });
        socket.write(QUOTES);
      });
    const getExpiry = async () => {
      const families = await server.monitor.collectMetrics();
      const name = 'tenor_tls_certificate_expiry_timestamp_seconds';
      return families.find((family) => family.name === name)?.samples[0]?.values[0];
    };
    const getSerial = (socket: TLSSocket) => socket.getPeerCertificate().serialNumber;

    test('is that of its address, which says https', async () => {
      expect(server.address).toStartWith('https://127.0.0.1:');
      const url = server.address.replace('127.0.0.1', 'localhost');
      const response = await fetch(`${url}/2.0/bnb/quote?limit=1`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        tls: { ca },
      });
      expect(response.status).toBe(200);
    });

    test.if(Bun.which('curl') !== null)('is accepted by curl (skipped without it)', async () => {
      const { port } = new URL(server.address);
      const child = spawnChild([
        ...[
          'curl',
          '-s',
          '--cacert',
          join(folder, 'ca.pem'),
          '-w',
          '%{http_code}',
          '-o',
          '/dev/null',
        ],
        ...['--resolve', `localhost:${port}:127.0.0.1`, `https://localhost:${port}/openapi.json`],
      ]);
      expect(await new Response(child.stdout).text()).toBe('200');
    });

    test.each([
      ['tls1_1', false],
      ['tls1_2', true],
      ['tls1_3', true],
    ])('is offered by %s: %p', async (version, isOffered) => {
      const { host } = new URL(server.address);
      const child = spawnChild(
        ['openssl', 's_client', `-${version}`, '-cipher', 'ALL:@SECLEVEL=0', '-connect', host],
        { stdin: new Blob([]), stdout: 'pipe', stderr: 'ignore' },
      );
      const text = await new Response(child.stdout).text();
      expect(text.includes('BEGIN CERTIFICATE')).toBe(isOffered);
    });

    test('is replaced: open connections are answered once more within a second, then closed', async () => {
      const [idle, busy] = await Promise.all([open(), open()]);
      const serial = getSerial(idle);
      expect(await getExpiry()).toBe(readCertificate(files).expiresAt.getTime() / 1_000);
      for (const socket of [idle, busy])
        expect(await ask(socket)).not.toContain('Connection: close');
      write(second, files);
      await retryUntil(10_000, async () =>
        expect(await ask(busy)).toMatch(/^HTTP\/1.1 200 .*\r\nConnection: close\r\n/is),
      );
      // Until then, both listeners accept connections.
      await retryUntil(10_000, async () => expect(idle.destroyed).toBe(true));
      const fresh = await open();
      for (let count = 0; count < 20; count++) {
        const socket = await open();
        expect(getSerial(socket)).not.toBe(serial);
        socket.destroy();
      }
      expect(await ask(fresh)).toMatch(/^HTTP\/1.1 200 /);
      fresh.destroy();
      expect(await getExpiry()).toBe(readCertificate(files).expiresAt.getTime() / 1_000);
      expect(events).toContainEqual({
        event: 'tls.changed',
        file: files.cert,
        expiresAt: expect.any(String),
      });
    });
  });
});

function encrypt(key: string): string {
  const command = ['openssl', 'pkcs8', '-topk8', '-passout', 'pass:x'];
  return String(Bun.spawnSync(command, { stdin: Buffer.from(key) }).stdout);
}
