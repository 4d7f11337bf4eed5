import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { findLink } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { ENGINES } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const DAYS = ['2026-06-01', '2026-06-02', '2026-06-03'];

// The first who asks for a server waits until it has started.
setDefaultTimeout(60_000);

for (const { name: engine, createStore } of ENGINES) {
  describe(engine, () => {
    let service: TestServer;
    beforeEach(async () => {
      const store = await createStore();
      await store.publish(quotes, generateQuotes(DAYS, 7));
      service = await startTestServer(store);
    });
    afterEach(() => service.stop());

    test.each([
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
    ])(
      'paging by cursor yields the rows of the export, with loads in between: %s',
      async (extension, accept) => {
        const exported = await (await service.request(`/exports/quotes.${extension}`)).text();
        const bodies: string[] = [];
        let next: string | undefined = '/2.0/bnb/quote?from=0001-01-01&limit=4';
        for (let price = 70; next !== undefined; price += 1) {
          const response = await service.request(next, { accept });
          bodies.push(await response.text());
          next = findLink(response.headers, 'next');
          // Every record is corrected, and a day is added at each end.
          const days = [...DAYS, `2026-07-${price - 50}`, `2025-07-${price - 50}`];
          const corrected = generateQuotes(days, 7).map((quote) => ({
            ...quote,
            lastPrice: price,
          }));
          await service.store.publish(quotes, corrected);
        }
        expect(bodies.length).toBe(6);
        const isHeaded = extension === 'csv';
        const rows = bodies.map((body, page) =>
          isHeaded && page > 0 ? body.slice(body.indexOf('\r\n') + 2) : body,
        );
        expect(rows.join('')).toBe(exported);
        expect(await (await service.request(`/exports/quotes.${extension}`)).text()).not.toBe(
          exported,
        );
      },
    );
  });
}
