import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { readFixture } from '../support/fixtures.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(async () => {
  const workspace = await createLoadWorkspace();
  workspace.writeFile('market.csv', writeCurveMarket());
  await workspace.load(quotes, 'market.csv');
  await workspace.store.publish(online, readFixture(online));
  return workspace.store;
});

const FORMATS = Object.keys(RESPONSE_FORMATS);
const OF_EVERY_FORMAT = [
  `/2.0/bnb/curve?date=${MARKET_DATE},2026-06-29`,
  '/2.0/bnb/curve?from=2026-06-01&every=week&limit=1',
  '/2.0/bnb/analytics?market=government&limit=3',
  '/2.0/bnb/analytics?symbol=BOND1&from=2026-06-01',
  '/2.0/bnb/cashflows?symbol=BOND1',
  '/aligned?columns=quotes.ytm(symbol=BOND1),curve.par(tenor=5Y)',
  '/datasets/online-banking-annual-volume?units=pch',
];
const OF_TABLES = [
  '/2.0/bnb/curve?from=2026-06-01&shape=wide&rate=zero',
  '/2.0/bnb/quote?fields=symbol,spread',
  '/2.0/bnb/quote?compare=2026-06-29',
  '/2.0/bnb/quotes?symbol=BOND1&from=2026-06-01&order=-ytm',
];
const COMPUTED = [
  ...OF_EVERY_FORMAT.flatMap((target) => FORMATS.map((format) => [target, format] as const)),
  ...OF_TABLES.flatMap((target) =>
    FORMATS.filter((format) => format !== 'json').map((format) => [target, format] as const),
  ),
];
const LATER = { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' };

describe('a computed response as of a revision, which another release may compute better', () => {
  test.each(COMPUTED)('is to be asked for again by its ETag: %s as %s', async (path, format) => {
    const target = `${path}&as_of=2&format=${format}`;
    const { status, headers } = await service.request(target);
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(headers.has('repr-digest')).toBe(false);
    // A date tells nothing of the release that computed it.
    expect(headers.has('last-modified')).toBe(false);
    expect((await service.request(target, LATER)).status).toBe(200);
    const etag = headers.get('etag') ?? '';
    expect((await service.request(target, { 'if-none-match': etag })).status).toBe(304);
  });

  test.each([...OF_EVERY_FORMAT, ...OF_TABLES])('is the same by a link: %s', async (path) => {
    const tokens = service.store.tokens();
    const terms = { name: 'desk', scopes: ['quotes', 'alternate'], rate: null, expiresAt: null };
    const target = `${path}&as_of=2&format=csv`;
    const { secret } = await issueLink(tokens, { ...terms, target });
    tokens.close();
    const { status, headers } = await service.request(`/links/${secret}`, { authorization: '' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });
});

test.each(FORMATS)(
  'records that were published never change as of a revision: %s',
  async (format) => {
    const target = `/2.0/bnb/quote?as_of=2&format=${format}`;
    const { headers } = await service.request(target);
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(headers.has('repr-digest')).toBe(true);
    expect((await service.request(target, LATER)).status).toBe(304);
  },
);
