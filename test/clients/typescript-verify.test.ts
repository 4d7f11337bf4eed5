import { describe, expect, spyOn, test } from 'bun:test';
import {
  Tenor,
  TenorError,
  VerificationError,
  type VerifierState,
  type VerifyOptions,
} from '../../clients/typescript/src/index.ts';
import { encodeBase64 } from '../../src/ledger/note.ts';
import { formatTilePath } from '../../src/ledger/read-leaves.ts';
import { errorResponse, FakeLedger } from '../support/fake-ledger.ts';

const rate = (id: string, value: number | null) => ({ id, value });
const add = (id: string, value = 1) => ({ change: 'added', record: rate(id, value) }) as const;

type LedgerKey = FakeLedger['keys'][number];

/** A log of three revisions of two datasets. */
async function createLedger(origin?: string): Promise<FakeLedger> {
  const ledger = await FakeLedger.create(origin);
  await ledger.publish('rates', add('a'), add('b'));
  await ledger.publish('prices', add('x'));
  await ledger.publish(
    'rates',
    { change: 'corrected', record: rate('a', 2) },
    { change: 'retired', record: rate('b', 1) },
  );
  return ledger;
}

function verify({ fetch }: FakeLedger, options: VerifyOptions = {}) {
  const client = new Tenor({ baseUrl: 'http://ledger.example', token: 'token', fetch, tries: 1 });
  return client.verify(options);
}

async function verifiedState(ledger: FakeLedger): Promise<VerifierState> {
  return (await verify(ledger)).state;
}

/** The problems that a verification finds. */
async function findProblems(ledger: FakeLedger, options?: VerifyOptions) {
  const error = await verify(ledger, options).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof VerificationError)) throw error ?? new Error('nothing was found');
  return error.problems.map(({ message: _, restart: __, ...problem }) => problem);
}

describe('an honest ledger', () => {
  test('is verified at first, after publications, and again without any', async () => {
    const ledger = await createLedger();
    const first = await verify(ledger);
    expect(first).toMatchObject({
      origin: 'fake.example/log',
      size: 3,
      key: ledger.key,
      previousSize: null,
      isKeyFirstSeen: true,
      rotatedKeys: [],
      restart: null,
      revisionsChecked: 3,
      unreadableRevisions: [],
      datasets: { rates: 1, prices: 1 },
    });
    expect(first.state).toMatchObject({
      origin: 'fake.example/log',
      key: ledger.key,
      size: 3,
      root: first.root,
    });
    expect(first.state.checkpoint).toBe(await ledger.sign());
    for (const id of ['c', 'd', 'e', 'f', 'g', 'h', 'i']) await ledger.publish('rates', add(id));
    const second = await verify(ledger, { state: first.state });
    expect(second).toMatchObject({
      size: 10,
      previousSize: 3,
      isKeyFirstSeen: false,
      datasets: { rates: 8 },
    });
    expect(await verify(ledger, { state: second.state })).toMatchObject({ previousSize: 10 });
  });

  test('needs no token for its log alone, and nothing but three small responses', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    await ledger.publish('rates', add('c'));
    const paths: string[] = [];
    const fetch = (url: string) => {
      paths.push(new URL(url).pathname);
      return ledger.fetch(url);
    };
    const client = new Tenor({
      baseUrl: 'http://ledger.example/under/',
      token: 'token',
      fetch: (url) => fetch(url.replace('/under', '')),
    });
    const result = await client.verify({ state, logOnly: true });
    expect(result).toMatchObject({ size: 4, previousSize: 3, revisionsChecked: 0, datasets: {} });
    const tile = '/ledger/tile/0/000.p/4';
    expect(paths).toEqual(['/ledger/checkpoint', '/ledger/keys', tile]);
  });

  test('is read from no cache, which may have tiles of the log before a restart', async () => {
    const ledger = await createLedger();
    const modes = new Set<unknown>();
    const fetch = (url: string, { cache }: RequestInit) => {
      modes.add(cache);
      return ledger.fetch(url);
    };
    await new Tenor({ baseUrl: 'http://ledger.example', token: 'token', fetch }).verify();
    expect([...modes]).toEqual(['no-store']);
  });

  test('is compared in the datasets that are named, and in new revisions of the others', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    ledger.records.prices = [];
    const result = await verify(ledger, { state, datasets: ['rates'] });
    expect(result).toMatchObject({ datasets: { rates: 1 }, revisionsChecked: 2 });
    await ledger.publish('prices', add('y'));
    expect(await verify(ledger, { state, datasets: ['rates'] })).toMatchObject({
      revisionsChecked: 3,
    });
  });

  test('may have revisions that the token cannot read, and fields that records got later', async () => {
    const ledger = await createLedger();
    ledger.hidden.add('prices');
    ledger.records.rates = [{ id: 'a', value: 2, added: null }];
    expect(await verify(ledger)).toMatchObject({
      revisionsChecked: 2,
      unreadableRevisions: [2],
      datasets: { rates: 1 },
    });
  });

  test('may have a record whose label was corrected: one is retired, another added', async () => {
    const ledger = await createLedger();
    await ledger.publish('rates', { change: 'retired', record: rate('a', 2) }, add('A', 2));
    const counts = '"added":0,"corrected":1,"retired":0';
    ledger.entries[3] = (ledger.entries[3] ?? '').replace(
      '"added":1,"corrected":0,"retired":1',
      counts,
    );
    expect(ledger.entries[3]).toContain(counts);
    expect(await verify(ledger)).toMatchObject({ datasets: { rates: 1 } });
  });

  test('may have more revisions than a tile, in any size of the last one', async () => {
    const ledger = await FakeLedger.create();
    for (let count = 0; count < 256; count += 1) await ledger.publish('rates', add(String(count)));
    const { state } = await verify(ledger, { logOnly: true });
    expect(await verify(ledger, { state, datasets: ['rates'] })).toMatchObject({
      datasets: { rates: 256 },
    });
    await ledger.publish('rates', add('last'));
    expect(await verify(ledger, { state })).toMatchObject({ size: 257, previousSize: 256 });
    const paths = [0, 255, 1_000, 1_234_067].map((index) => formatTilePath('entries', index, 256));
    expect([...paths, formatTilePath('0', 1_000, 3)]).toEqual([
      'ledger/tile/entries/000',
      'ledger/tile/entries/255',
      'ledger/tile/entries/x001/000',
      'ledger/tile/entries/x001/x234/067',
      'ledger/tile/0/x001/000.p/3',
    ]);
  });
});

describe('a changed ledger', () => {
  test('that has no log, or none with a signature of its key, is named', async () => {
    expect(await findProblems(await FakeLedger.create())).toEqual([{ problem: 'no-log' }]);
    const [ledger, other] = [await createLedger(), await createLedger()];
    const note = await other.sign();
    ledger.overrides.set(
      '/ledger/checkpoint',
      () => new Response(note, { headers: { 'content-type': 'text/plain' } }),
    );
    expect(await findProblems(ledger)).toEqual([{ problem: 'unsigned' }]);
    expect(await findProblems(other, { key: ledger.key })).toEqual([{ problem: 'unknown-key' }]);
    expect(
      await findProblems(other, { state: { ...(await verifiedState(other)), key: ledger.key } }),
    ).toEqual([{ problem: 'unknown-key' }]);
  });

  test('that lost, exchanged or changed revisions is named, unless it was never seen before', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    const [, second = '', third = ''] = ledger.entries;
    ledger.truncate(1);
    await ledger.publish('rates', add('other'));
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'shorter' }]);
    await ledger.publish('rates', add('other'));
    expect(await findProblems(ledger, { state, logOnly: true })).toEqual([{ problem: 'forked' }]);
    await ledger.publish('rates', add('more'));
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'rewritten' }]);
    expect(await verify(ledger, { logOnly: true })).toMatchObject({ size: 4 });
    ledger.entries.splice(1, 2, second, third);
    expect(await verify(ledger, { state, logOnly: true })).toMatchObject({ previousSize: 3 });
  });

  test('that shows an entry, changes or records that are not those of the log is named', async () => {
    const ledger = await createLedger();
    const [first = '', second = ''] = ledger.entries;
    const send = (text: string) => () =>
      new Response(text, { headers: { 'content-type': 'application/json' } });
    ledger.overrides.set('/ledger/entries/1', send(first.replace('"added":2', '"added":3')));
    ledger.overrides.set('/ledger/entries/2', () => errorResponse(404, 'not_found'));
    ledger.lines[2]?.pop();
    expect(await findProblems(ledger)).toEqual([
      { problem: 'altered-entry', revision: 1 },
      { problem: 'missing-entry', revision: 2 },
      { problem: 'altered-changes', revision: 3, dataset: 'rates' },
    ]);
    ledger.overrides.set('/changes/rates', () => errorResponse(404, 'not_found'));
    ledger.overrides.set('/ledger/entries/1', send(first));
    const altered = { problem: 'altered-changes', dataset: 'rates' } as const;
    expect(await findProblems(ledger)).toContainEqual({ ...altered, revision: 1 });
    ledger.overrides.set('/ledger/entries/1', send(second));
    expect(await findProblems(ledger)).toContainEqual({ problem: 'altered-entry', revision: 1 });
  });

  test('that sends other records than were published is named, with their keys', async () => {
    const ledger = await createLedger();
    ledger.records.rates = [rate('a', 3), rate('new', 1)];
    ledger.records.prices = [];
    expect(await findProblems(ledger)).toEqual([
      { problem: 'altered-data', dataset: 'rates' },
      { problem: 'altered-data', dataset: 'prices' },
    ]);
    await expect(verify(ledger)).rejects.toThrow(
      /a has other values; new was never published.*\n.*x is missing/,
    );
  });

  test('that sends tiles which do not lead to its checkpoint is named', async () => {
    const ledger = await createLedger();
    const bytes = (length: number) => () =>
      new Response(new Uint8Array(length), {
        headers: { 'content-type': 'application/octet-stream' },
      });
    for (const override of [bytes(96), bytes(95), () => errorResponse(404, 'not_found')]) {
      ledger.overrides.set('/ledger/tile/0/000.p/3', override);
      expect(await findProblems(ledger)).toEqual([{ problem: 'damaged-tile' }]);
    }
  });
});

describe('a server that is behind', () => {
  const behind = { kind: 'behind', message: expect.stringContaining('The server is behind') };
  /** Without its newest revisions, until it has them again. */
  function withhold(ledger: FakeLedger, size: number): () => void {
    const [entries, lines] = [ledger.entries.slice(size), ledger.lines.slice(size)];
    ledger.truncate(size);
    return () => {
      ledger.entries.push(...entries);
      ledger.lines.push(...lines);
    };
  }

  test('has nothing but what was verified, and is no alarm, in all of the log or the log alone', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    expect(state.leaves).toEqual((await ledger.hashLeaves()).map(encodeBase64));
    for (const size of [2, 1]) {
      const goOn = withhold(ledger, size);
      for (const logOnly of [true, false])
        await expect(verify(ledger, { state, logOnly })).rejects.toMatchObject({
          ...behind,
          message: expect.stringContaining(`has ${size} revisions, the same as`),
        });
      goOn();
    }
    expect(await verify(ledger, { state })).toMatchObject({ previousSize: 3 });
    withhold(ledger, 0);
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'no-log' }]);
  });

  test('is a TenorError, as every other failure of the client', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    withhold(ledger, 2);
    await expect(verify(ledger, { state })).rejects.toBeInstanceOf(TenorError);
  });

  test('of a replaced key has the key of before, with as many revisions too', async () => {
    const ledger = await createLedger();
    const { key } = ledger;
    await ledger.rotateKey();
    // The first time, earlier keys are those that the service lists.
    const state = await verifiedState(ledger);
    expect(state.earlierKeys).toEqual([key]);
    await ledger.rotateKey();
    const { state: next } = await verify(ledger, { state });
    expect(next.earlierKeys).toEqual([key, state.key]);
    ledger.forgetKey();
    await expect(verify(ledger, { state: next })).rejects.toMatchObject(behind);
    await expect(verify(ledger, { state: next, key: next.key })).rejects.toMatchObject(behind);
    expect(await verify(ledger, { state })).toMatchObject({ size: 3 });
    ledger.forgetKey();
    withhold(ledger, 2);
    await expect(verify(ledger, { state: next })).rejects.toMatchObject(behind);
    ledger.entries[0] = (ledger.entries[0] ?? '').replace('"salt":"00"', '"salt":"01"');
    expect(await findProblems(ledger, { state: next })).toEqual([{ problem: 'unknown-key' }]);
  });

  test('has the newest key no more than it has signed', async () => {
    const ledger = await createLedger();
    const note = await ledger.sign();
    await ledger.rotateKey();
    const state = await verifiedState(ledger);
    ledger.overrides.set(
      '/ledger/checkpoint',
      () => new Response(note, { headers: { 'content-type': 'text/plain' } }),
    );
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'unsigned' }]);
  });

  test('of a restart has the log of before it, without what was given up', async () => {
    const ledger = await createLedger();
    const goOn = withhold(ledger, 2);
    await ledger.restart('fake.example/again');
    await ledger.publish('rates', add('other'));
    ledger.records.rates = [rate('a', 1), rate('b', 1), rate('other', 1)];
    const state = await verifiedState(ledger);
    ledger.truncate(2);
    ledger.forgetKey();
    await expect(verify(ledger, { state })).rejects.toMatchObject(behind);
    // A key of another log was given: it is not the one that is there.
    const { key } = await createLedger('fake.example/other');
    expect(await findProblems(ledger, { state, key })).toEqual([{ problem: 'unknown-key' }]);
    goOn();
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'unknown-key' }]);
  });

  test('is not told by hashes that do not make the kept checkpoint', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    const { leaves = [] } = state;
    await ledger.publish('rates', add('c'));
    const damaged = { ...state, leaves: [...leaves].reverse() };
    const { state: healed } = await verify(ledger, { state: damaged, logOnly: true });
    expect(healed.leaves?.slice(0, 3)).toEqual([...leaves]);
    withhold(ledger, 2);
    await expect(verify(ledger, { state: damaged })).rejects.toThrow('state must be');
    for (const others of [
      leaves.slice(1),
      [...leaves, ...leaves.slice(1)],
      ['AAAA'],
      [1, 2, 3],
      'a',
    ])
      await expect(
        verify(ledger, { state: { ...state, leaves: others as string[] } }),
      ).rejects.toThrow('state must be');
  });

  test('is told of what the log has grown by with the tiles of the growth alone', async () => {
    const ledger = await FakeLedger.create();
    for (let count = 0; count < 300; count += 1) await ledger.publish('rates', add(String(count)));
    const { state } = await verify(ledger, { logOnly: true });
    await ledger.publish('rates', add('new'));
    const paths: string[] = [];
    const fetch = (url: string) => {
      paths.push(new URL(url).pathname);
      return ledger.fetch(url);
    };
    const client = new Tenor({ baseUrl: 'http://ledger.example', token: 'token', fetch });
    const { state: next } = await client.verify({ state, logOnly: true });
    expect(paths).toEqual(['/ledger/checkpoint', '/ledger/keys', '/ledger/tile/0/001.p/45']);
    expect(next.leaves).toEqual((await ledger.hashLeaves()).map(encodeBase64));
  });
});

describe('keys and restarts', () => {
  test('a key that was replaced is followed if the old one signed the new', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    await ledger.rotateKey();
    const second = ledger.key;
    await ledger.rotateKey();
    const result = await verify(ledger, { state });
    expect(result).toMatchObject({
      key: ledger.key,
      rotatedKeys: [second, ledger.key],
      previousSize: 3,
    });
    expect(await verify(ledger, { state: result.state })).toMatchObject({ rotatedKeys: [] });
    const thief = await createLedger();
    thief.keys.unshift(...ledger.keys);
    expect(await findProblems(thief, { state })).toEqual([{ problem: 'unknown-key' }]);
  });

  test('a key that is replaced between two requests is no alarm', async () => {
    const ledger = await createLedger();
    const note = await ledger.sign();
    ledger.overrides.set('/ledger/checkpoint', () => {
      ledger.overrides.delete('/ledger/checkpoint');
      return new Response(note, { headers: { 'content-type': 'text/plain' } });
    });
    await ledger.rotateKey();
    expect(await verify(ledger)).toMatchObject({ key: ledger.key });
  });

  test('a log that was begun again stops a verifier until that is accepted', async () => {
    const ledger = await createLedger();
    const atThree = await verifiedState(ledger);
    ledger.truncate(2);
    ledger.records.rates = [rate('a', 1), rate('b', 1)];
    const kept = await verifiedState(ledger);
    await ledger.restart('fake.example/again');
    await ledger.publish('rates', add('c'));
    expect(await findProblems(ledger, { state: atThree })).toEqual([{ problem: 'restarted' }]);
    await expect(verify(ledger, { state: atThree })).rejects.toThrow(
      '--accept-restart fake.example/again',
    );
    expect(await findProblems(ledger, { state: kept, acceptRestart: 'other' })).toEqual([
      { problem: 'restarted' },
    ]);
    const acceptRestart = 'fake.example/again';
    const restart = { origin: acceptRestart, commonSize: 2, isSigned: true };
    expect(await verify(ledger, { state: kept, acceptRestart })).toMatchObject({
      restart,
      previousSize: 2,
      size: 3,
    });
    const accepted = await verify(ledger, { state: atThree, acceptRestart });
    expect(accepted).toMatchObject({ restart, previousSize: null, origin: acceptRestart });
    expect(await verify(ledger, { state: accepted.state })).toMatchObject({
      restart: null,
      previousSize: 3,
    });
    // What both logs have in common must still be there, also if more was kept.
    ledger.entries[0] = (ledger.entries[0] ?? '').replace('"salt":"00"', '"salt":"01"');
    for (const state of [kept, atThree])
      expect(await findProblems(ledger, { state, acceptRestart })).toEqual([
        { problem: 'rewritten' },
      ]);
  });

  test('a restart that was accepted is none for a key of before it', async () => {
    const ledger = await createLedger();
    const { key } = ledger;
    await ledger.restart('fake.example/again');
    await ledger.publish('rates', add('d'));
    const acceptRestart = 'fake.example/again';
    const { state } = await verify(ledger, { key, acceptRestart });
    expect(await verify(ledger, { state, key })).toMatchObject({ restart: null, previousSize: 4 });
    ledger.entries[3] = (ledger.entries[3] ?? '').replace('"salt":"00"', '"salt":"01"');
    expect(await findProblems(ledger, { state, key, acceptRestart })).toEqual([
      { problem: 'forked' },
    ]);
  });

  test('a log that was begun again under its first name stops a verifier as well', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    for (const origin of ['fake.example/again', state.origin])
      await ledger.restart(origin, { isKeyLost: true });
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'restarted' }]);
  });

  test('a log that a given key names, and not the kept one, is accepted by its name', async () => {
    const state = await verifiedState(await createLedger());
    const other = await FakeLedger.create('fake.example/other');
    await other.publish('rates', add('a'));
    const options = { state, key: other.key };
    expect(await findProblems(other, options)).toEqual([{ problem: 'restarted' }]);
    const result = await verify(other, { ...options, acceptRestart: 'fake.example/other' });
    expect(result).toMatchObject({ previousSize: null, restart: { commonSize: 0 } });
  });

  test('a restart that no key has signed is accepted only by its name, and said to be unsigned', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    await ledger.restart('fake.example/lost', { isKeyLost: true });
    await expect(verify(ledger, { state })).rejects.toThrow(
      'No key of the earlier log has signed that',
    );
    const result = await verify(ledger, { state, acceptRestart: 'fake.example/lost' });
    expect(result.restart).toEqual({ origin: 'fake.example/lost', commonSize: 3, isSigned: false });
  });
});

describe('a forged continuation', () => {
  test('a restart whose signature is not of the earlier key is not accepted, by name neither', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    await ledger.restart('fake.example/again');
    const [first, restarted] = ledger.keys as [LedgerKey, LedgerKey];
    for (const forged of [{ size: 2 }, { note: first.note ?? 'no note' }]) {
      ledger.keys.splice(1, 1, { ...restarted, ...forged });
      for (const acceptRestart of [undefined, 'fake.example/again'])
        expect(await findProblems(ledger, { state, acceptRestart })).toEqual([
          { problem: 'unknown-key' },
        ]);
    }
  });

  test.each([true, false])(
    'two restarts have in common what the shorter left, and are signed if both are: %p',
    async (isSigned) => {
      const ledger = await createLedger();
      const state = await verifiedState(ledger);
      ledger.truncate(1);
      await ledger.restart('fake.example/first', { isKeyLost: !isSigned });
      for (const id of ['c', 'd']) await ledger.publish('rates', add(id));
      await ledger.restart('fake.example/second');
      const options = { state, logOnly: true };
      expect(await findProblems(ledger, options)).toEqual([{ problem: 'restarted' }]);
      const origin = 'fake.example/second';
      expect(await verify(ledger, { ...options, acceptRestart: origin })).toMatchObject({
        restart: { origin, commonSize: 1, isSigned },
      });
    },
  );

  test('a checkpoint of another log is none of this one, though its key has signed it', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    const [, ...rest] = state.checkpoint.split('\n\n')[0]?.split('\n') ?? [];
    const forged = await ledger.signText(['fake.example/other', ...rest].join('\n'));
    ledger.overrides.set(
      '/ledger/checkpoint',
      () => new Response(forged, { headers: { 'content-type': 'text/plain' } }),
    );
    expect(await findProblems(ledger, { state })).toEqual([{ problem: 'unsigned' }]);
  });
});

describe('a verification that cannot be made', () => {
  test('rejects a state or key of something else', async () => {
    const ledger = await createLedger();
    const state = await verifiedState(ledger);
    for (const damaged of [{ root: 'x' }, { size: 0 }, { key: '' }, { origin: 'another' }])
      await expect(
        verify(ledger, { state: { ...state, ...damaged }, key: ledger.key }),
      ).rejects.toThrow('state must be');
    await expect(verify(ledger, { key: 'no key' })).rejects.toThrow('key must be a verifier key');
  });

  test('says so if signatures cannot be checked', async () => {
    const ledger = await createLedger();
    const importKey = spyOn(crypto.subtle, 'importKey').mockRejectedValue(
      new DOMException('', 'NotSupportedError'),
    );
    const error = await verify(ledger).catch((thrown) => thrown);
    importKey.mockRestore();
    expect(error).toBeInstanceOf(TenorError);
    expect(error).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('Ed25519'),
    });
    const subtle = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor;
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: {} });
    const other = await verify(ledger).catch((thrown) => thrown);
    Object.defineProperty(globalThis, 'crypto', subtle);
    expect(other).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('https') });
  });
});
