import { describe, expect, test } from 'bun:test';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { writeCurveMarket } from '../support/curve-market.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { DECODERS } from '../tabular/decode-formats.ts';

/** A day whose last prices and yields are all higher by as much. */
const EARLIER = '2026-05-29';

describe('a table of quotes', () => {
  const service = useTestServer(async () => {
    const workspace = await createLoadWorkspace();
    workspace.writeFile('market.csv', writeCurveMarket());
    await workspace.load(quotes, 'market.csv');
    const reader = workspace.store.reader();
    const { records } = await reader.read({ kind: 'quotes', dataset: quotes, limit: 10_000 });
    const today = JSON.parse(`[${records}]`) as Quote[];
    const earlier = today
      .slice(1)
      .map((quote) => ({ ...quote, date: EARLIER, ytm: quote.ytm + 0.25, lastPrice: 90 }));
    await workspace.store.publish(quotes, earlier);
    return workspace.store;
  });
  const getRecords = async (query: string) =>
    (await (await service.request(`/2.0/bnb/quotes?limit=500&format=ndjson&${query}`)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('is in the order of a field, with what lacks it at the end', async () => {
    const yields = (await getRecords('order=-ytm&fields=symbol,ytm')).map(({ ytm }) => ytm);
    expect(yields.length).toBeGreaterThan(5);
    expect(yields).toEqual(yields.toSorted((a, b) => b - a));
    const years = (await getRecords('order=maturityYears')).map((row) => row.maturityYears);
    expect(years).toEqual(years.toSorted((a, b) => a - b));
  });

  test('has the changes since another date, with the date in the header, and none of what was not there', async () => {
    const header = ['symbol', `ytmChange since ${EARLIER}`, `lastPriceChange since ${EARLIER}`];
    const fields = 'fields=symbol,ytmChange,lastPriceChange';
    const records = await getRecords(`compare=${EARLIER}&${fields}&order=symbol`);
    expect(Object.keys(records[0])).toEqual(header);
    const { data } = await service.getJson('/2.0/bnb/quotes?limit=500');
    const [first] = data;
    expect(records.map((row) => row[header[1] ?? ''])).toEqual(
      data.map(({ symbol, ytm }: Quote) => (symbol === first.symbol || ytm === 0 ? null : -25)),
    );
    const response = await service.request(
      `/2.0/bnb/quotes?limit=500&format=xlsx&compare=${EARLIER}&${fields}&order=symbol`,
    );
    const sheet = await DECODERS.xlsx(Buffer.from(await response.arrayBuffer()));
    expect(sheet.names).toEqual(header);
    expect(sheet.rows.map(([symbol]) => symbol)).toEqual(records.map(({ symbol }) => symbol));
  });

  test('has the spreads of /analytics', async () => {
    const spreads = (await getRecords('fields=symbol,spread')).map(({ symbol, spread }) => [
      symbol,
      spread,
    ]);
    const { data } = await service.getJson('/2.0/bnb/analytics?limit=500');
    expect(spreads).toEqual(
      data.map(({ symbol, spread }: Record<string, unknown>) => [symbol, spread]),
    );
    expect(spreads.some(([, spread]) => typeof spread === 'number')).toBe(true);
  });

  test('is counted like the records that it has', async () => {
    const headers = { prefer: 'count=exact' };
    const count = async (query: string) => {
      const response = await service.request(`/2.0/bnb/quotes?limit=2&format=csv${query}`, headers);
      return response.headers.get('tenor-total-count');
    };
    const total = await count('');
    expect(Number(total)).toBeGreaterThan(2);
    expect(await count('&order=-ytm')).toBe(total);
  });

  test('is no JSON, and is of quotes alone', async () => {
    for (const [query, name] of [
      ['order=ytm', 'order'],
      [`compare=${EARLIER}`, 'compare'],
    ])
      expect(await errorMessage(await service.request(`/2.0/bnb/quotes?${query}`))).toStartWith(
        `parameter "${name}" cannot be used with JSON`,
      );
    for (const target of ['/vintages/quotes?order=ytm', '/2.0/bnb/analytics?order=ytm'])
      expect((await service.request(`${target}&format=csv`)).status).toBe(400);
    const states = await service.request('/vintages/quotes?fields=spread&format=csv');
    expect(states.status).toBe(400);
  });
});
