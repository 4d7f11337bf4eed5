import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../../src/catalogue/index.ts';
import { getRaw } from '../../support/raw-http.ts';
import { ENGINES, fillStore } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

const paths = fc.constantFrom(...catalogue.flatMap((dataset) => dataset.paths));
const names = [...new Set(catalogue.flatMap((dataset) => Object.keys(dataset.parameters)))];

/** Everything that may stand in a request target. */
const rawQuery = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

/** Query strings that come closer to right ones. */
const nearQuery = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...names), fc.string()),
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          '1',
          '0',
          '10000',
          '10001',
          'tbill',
          'all',
          '2026-04-08',
          '2026-02-30',
          "'--",
        ),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => new URLSearchParams(pairs).toString());

/** A status that the contract has for reading, and a body that goes with it. */
function expectContract(path: string, status: number, body: string): void {
  expect([200, 400]).toContain(status);
  const parsed = JSON.parse(body);
  if (parsed.status === 'error') {
    expect(Object.keys(parsed)).toEqual(['status', 'message']);
    if (status === 200) {
      expect(path).toBe('/3.0/funds/allocation');
      expect(['no fund_id provided', 'no_record_found']).toContain(parsed.message);
    }
    return;
  }
  expect([status, parsed.status]).toEqual([200, 'ok']);
  expect(JSON.stringify(parsed)).toBe(body);
}

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    let service: TestServer;
    beforeAll(async () => {
      service = await startTestServer(await fillStore(await createStore()));
    });
    afterAll(() => service.stop());

    describe('any query string', () => {
      test.each([
        ['of any characters', rawQuery],
        ['of names and values', nearQuery],
      ])('%s gives an answer of the contract', async (_, queries) => {
        await fc.assert(
          fc.asyncProperty(paths, queries, async (path, query) => {
            const authorization = `Authorization: Bearer ${TOKEN}`;
            const reply = await getRaw(service.address, `${path}?${query}`, authorization);
            expectContract(path, reply.status, reply.body);
          }),
          { numRuns: scaleRuns(400) },
        );
        expect(service.events.filter(({ event }) => event !== 'request')).toMatchObject([
          { event: 'service.started' },
        ]);
      });
    });

    test('any Authorization header gets 200 or 401', async () => {
      const header = fc.oneof(
        fc.string({
          unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
        }),
        fc.constantFrom(
          `Bearer ${TOKEN}`,
          `bearer ${TOKEN}`,
          `Bearer   ${TOKEN}`,
          `Bearer ${TOKEN}=`,
        ),
      );
      await fc.assert(
        fc.asyncProperty(header, async (value) => {
          const { status } = await getRaw(
            service.address,
            '/2.0/bnb/quote',
            `Authorization: ${value}`,
          );
          const right = /^ *bearer +test-token *$/i.test(value);
          expect([value, status]).toEqual([value, right ? 200 : 401]);
        }),
        // Fewer than an address may get wrong before its guesses are slowed down.
        { numRuns: 300 },
      );
    });
  });
}
