import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  openStore,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../../src/store/open-store.ts';
import {
  type Certificate,
  createAuthority,
  explainMissingOpenssl,
} from '../../support/certificates.ts';
import { retryUntil } from '../../support/eventually.ts';
import { runSql } from '../../support/postgres/databases.ts';
import { writeOwned } from '../../support/postgres/run-as-owner.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { runTenor } from '../../support/run-tenor.ts';

const UNTRUSTED =
  'its certificate is signed by no CA that is trusted here; add sslrootcert= and the path of its CA to the URL';
const OTHER_HOST =
  'its certificate is for another host; let the URL name the host as the certificate does, or use sslmode=verify-ca, which does not compare it';
const EXPIRED = 'its certificate has expired; renew it on the server';
const UNREADABLE_FILE =
  'the file that sslrootcert in the URL names is missing, or is not a PEM file; the path is absolute, or relative to the working directory';
const NOT_ENCRYPTED =
  'it offers no encrypted connections, and sslmode in the URL requires one; set ssl = on there, or sslmode=disable here';

const isSkipped = (explainMissingBinaries() ?? explainMissingOpenssl()) !== undefined;

describe.skipIf(isSkipped)('an encrypted connection to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-tls-'));
  const authority = join(folder, 'ca.pem');
  let sign: (host: string, days?: number) => Certificate;
  let server: PostgresServer;

  beforeAll(async () => {
    sign = createAuthority(folder);
    server = await startPostgres();
    await (await openStore(server.url(), catalogue)).reader().close();
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  }, 120_000);

  /** Lets the server show a certificate on new connections. */
  const showCertificate = async ({ certificate, key }: Certificate) => {
    const [row] = await runSql(server.url(), 'SHOW data_directory');
    const data = String(row?.data_directory);
    writeOwned(join(data, 'server.crt'), certificate);
    writeOwned(join(data, 'server.key'), key);
    chmodSync(join(data, 'server.key'), 0o600);
    await runSql(server.url(), 'ALTER SYSTEM SET ssl = on');
    await runSql(server.url(), 'SELECT pg_reload_conf()');
  };
  const buildUrl = (parameters: string) =>
    `${server.url().replace('postgres@127.0.0.1', 'postgres:hidden@localhost')}?${parameters}`;
  const open = (parameters: string) => openStore(buildUrl(parameters), catalogue);
  const expectRejection = async (parameters: string, reason: string) => {
    const error = await open(parameters).catch((cause) => cause);
    expect(error).toBeInstanceOf(StoreUnusableError);
    const address = `localhost:${server.port}/postgres`;
    expect(error.message).toBe(`cannot use ${address} as the database: ${reason}`);
    expect(Bun.inspect(error)).not.toContain('hidden');
  };

  test('is rejected in one line that says what to set', async () => {
    await expectRejection('sslmode=require', NOT_ENCRYPTED);
    await showCertificate(sign('db.example'));
    await retryUntil(30_000, () => expectRejection('sslmode=verify-ca', UNTRUSTED));
    await expectRejection('sslmode=verify-full', UNTRUSTED);
    await expectRejection(`sslmode=verify-full&sslrootcert=${authority}`, OTHER_HOST);
    await expectRejection('sslmode=verify-full&sslrootcert=/no/such/file', UNREADABLE_FILE);
    await expectRejection(`sslmode=verify-full&sslrootcert=${import.meta.path}`, UNREADABLE_FILE);
    await open('sslmode=require');
    await open(`sslmode=verify-ca&sslrootcert=${authority}`);
    await showCertificate(sign('localhost', -1));
    const verifyFull = `sslmode=verify-full&sslrootcert=${authority}`;
    await retryUntil(30_000, () => expectRejection(verifyFull, EXPIRED));
    expect(await runTenor(['revisions'], { DATABASE_URL: buildUrl(verifyFull) })).toEqual({
      status: 1,
      out: '',
      err: `tenor: cannot use localhost:${server.port}/postgres as the database: ${EXPIRED}\n`,
    });
  }, 120_000);

  test('that fails later is reported with each new cause', async () => {
    await showCertificate(sign('localhost'));
    const reported: [string, string | undefined][] = [];
    const url = buildUrl(`sslmode=verify-full&sslrootcert=${authority}`);
    const store = await retryUntil(30_000, () =>
      openStore(url, catalogue, {
        onHealthChange: (_, health, cause) => reported.push([health, cause]),
      }),
    );
    const reader = store.reader();
    expect(await reader.revision()).toBe(0);
    await showCertificate(sign('localhost', -1));
    const verifyFull = `sslmode=verify-full&sslrootcert=${authority}`;
    await retryUntil(30_000, () => expectRejection(verifyFull, EXPIRED));
    // Heartbeats go on, on a connection from before, but no other one can be opened.
    const result = Promise.resolve(reader.read({ kind: 'quotes', dataset: quotes, limit: 1 }));
    const error = await result.catch((cause) => cause);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toBe(EXPIRED);
    await runSql(
      server.url(),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenor'`,
    );
    await retryUntil(30_000, async () => expect(reported.at(-1)).toEqual(['unreachable', EXPIRED]));
    await showCertificate(sign('db.example'));
    await retryUntil(30_000, async () =>
      expect(reported.at(-1)).toEqual(['unreachable', OTHER_HOST]),
    );
    await showCertificate(sign('localhost'));
    await retryUntil(30_000, async () => expect(reported.at(-1)).toEqual(['healthy', undefined]));
    reader.close();
  }, 120_000);
});
