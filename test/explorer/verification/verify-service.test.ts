import { expect, test } from 'bun:test';
import { toLogResponse } from '../../../src/client/create-open-path.ts';
import { TenorError } from '../../../src/client/errors.ts';
import {
  type VerifiedService,
  verifyService,
} from '../../../src/explorer/verification/verify-service.ts';
import type { OpenPath } from '../../../src/ledger/open-path.ts';
import { FakeLedger } from '../../support/fake-ledger.ts';

/** A browser that looks at one address, whatever log is there. */
class Browser {
  stored: string | undefined;

  constructor(private readonly ledger: FakeLedger) {}

  get(): string | undefined {
    return this.stored;
  }

  set(value: string): void {
    this.stored = value;
  }

  verify(revision: number, options: Partial<VerifiedService> = {}) {
    return verifyService({
      open: openPath(this.ledger),
      revision,
      stored: this,
      previous: undefined,
      acceptRestart: undefined,
      formatInstant: () => '3 Nov 2026',
      ...options,
    });
  }
}

const openPath =
  (ledger: FakeLedger): OpenPath =>
  async (path) => {
    const response = await ledger.fetch(`https://tenor.example${path}`);
    if (response.ok) return toLogResponse(response);
    throw Object.assign(new Error(path), { status: response.status });
  };

async function createLedger(...ids: readonly string[]): Promise<FakeLedger> {
  const ledger = await FakeLedger.create();
  for (const id of ids) await publish(ledger, id);
  return ledger;
}

const publish = (ledger: FakeLedger, id: string) =>
  ledger.publish('quotes', { change: 'added', record: { id } });

test('a log that only grew is verified, since it was first seen', async () => {
  const ledger = await createLedger('a', 'b');
  const browser = new Browser(ledger);
  const first = await browser.verify(2);
  expect(first).toMatchObject({ size: 2, copies: { Key: ledger.key } });
  expect(first.retryMs).toBeUndefined();
  await publish(ledger, 'c');
  const { size, explanation, copies } = await browser.verify(3);
  expect(size).toBe(3);
  expect(explanation).toContain('first seen 3 Nov 2026, 1 revision verified since');
  expect(copies?.Checkpoint).toBe(await ledger.sign());
});

test('a revision that is not in the log yet is looked for again, ever later', async () => {
  const browser = new Browser(await createLedger('a'));
  const first = await browser.verify(2);
  expect(first).toMatchObject({ size: 1, reason: 'not in the log yet', retryMs: 5_000 });
  expect(await browser.verify(2, { previous: first })).toMatchObject({ retryMs: 10_000 });
});

test('a log that was rewritten is an alarm, until the kept checkpoint is forgotten', async () => {
  const browser = new Browser(await createLedger('a', 'b'));
  await browser.verify(2);
  const { stored } = browser;
  const open = openPath(await createLedger('a', 'x', 'c'));
  const { size, alarm, copies } = await browser.verify(3, { open });
  expect([size, alarm?.title]).toEqual([0, 'The history of this service was rewritten:']);
  expect(Object.values(copies ?? {})).toEqual([JSON.parse(stored ?? '').checkpoint]);
  expect([browser.stored, alarm?.restartedAs]).toEqual([stored, undefined]);
  browser.stored = undefined;
  expect(await browser.verify(3, { open })).toMatchObject({ size: 3 });
});

test('a log that was restarted is an alarm until it is accepted by its name', async () => {
  const ledger = await createLedger('a', 'b');
  const browser = new Browser(ledger);
  await browser.verify(2);
  ledger.truncate(1);
  await ledger.restart('fake.example/new');
  await publish(ledger, 'c');
  const { alarm } = await browser.verify(2);
  expect(alarm?.title).toContain('restarted as fake.example/new (last common revision 1)');
  expect(alarm?.message).toContain('has signed that');
  const acceptRestart = alarm?.restartedAs;
  expect(await browser.verify(2, { acceptRestart })).toMatchObject({ size: 2 });
  expect(await browser.verify(2)).toMatchObject({ size: 2 });
});

test('a shorter log is an alarm unless it is as it was: another machine may be behind', async () => {
  const ledger = await createLedger('a', 'b', 'c');
  const browser = new Browser(ledger);
  await browser.verify(3);
  ledger.truncate(2);
  expect(await browser.verify(2)).toEqual({
    size: 0,
    retryMs: 5_000,
    reason: 'not verified: the service is behind the verified revisions',
  });
  ledger.truncate(1);
  await publish(ledger, 'x');
  expect((await browser.verify(1)).alarm?.message).toContain(
    'revisions that were published are gone',
  );
});

test('a service that has no log gets no alarm, unless it had one', async () => {
  const ledger = await createLedger();
  const browser = new Browser(ledger);
  const { size, reason, alarm } = await browser.verify(1);
  const expected = 'not verified: the service has no log yet';
  expect([size, reason, alarm]).toEqual([0, expected, undefined]);
  await publish(ledger, 'a');
  await browser.verify(1);
  ledger.truncate(0);
  expect((await browser.verify(1)).alarm).toBeDefined();
});

test('a failed request leaves what was verified, and what was warned of', async () => {
  const ledger = await createLedger('a');
  const browser = new Browser(ledger);
  const previous = await browser.verify(1);
  const open = () => Promise.reject(new TypeError('Failed to fetch'));
  const failed = { reason: 'not verified: the service does not send its log', retryMs: 5_000 };
  expect(await browser.verify(2, { open, previous })).toEqual({ ...previous, ...failed });
  expect(await browser.verify(2, { open })).toEqual({ size: 0, ...failed });
});

test('a browser that cannot verify signatures says why, and does not try again', async () => {
  const browser = new Browser(await createLedger('a'));
  const open = () => Promise.reject(new TenorError('unsupported', 'no Ed25519', { url: '' }));
  const reason = 'not verified: this browser cannot verify signatures';
  expect(await browser.verify(1, { open })).toEqual({ size: 0, reason });
  const present = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor;
  Object.defineProperty(globalThis, 'crypto', { configurable: true, value: {} });
  const insecure = await browser.verify(1);
  Object.defineProperty(globalThis, 'crypto', present);
  expect(insecure).toEqual({
    size: 0,
    reason: 'not verified: this page was not opened over HTTPS',
  });
});
