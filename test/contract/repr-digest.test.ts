import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { declareKibor, kibor } from '../support/declared-rates.ts';
import { fetchRaw, type RawResponse } from '../support/fetch-raw.ts';
import { readFixture } from '../support/fixtures.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { createFilledStore, FILLED_DATASETS } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const ENCODINGS = ['identity', 'zstd', 'br', 'gzip'];
const DAYS = Array.from(
  { length: 30 },
  (_, index) => `2026-06-${String(index + 1).padStart(2, '0')}`,
);
/** Hashed in several slices. */
const LARGE_PAGE = `${quotes.paths[0]}?from=${DAYS[0]}&limit=10000`;
const [{ fund_id: FUND_ID }] = readFixture(fundAllocation) as [{ fund_id: string }];

const service = useTestServer(async () => {
  const store = await createFilledStore();
  await store.publish(quotes, generateQuotes(DAYS, 40));
  await declareKibor(store);
  return store;
});
/** The revision of the records of the declared dataset, the last one. */
const PINNED = `as_of=${FILLED_DATASETS.length + 3}`;

const computeDigest = (bytes: Uint8Array) =>
  `sha-256=:${new Bun.CryptoHasher('sha256').update(bytes).digest('base64')}:`;
const getDigest = ({ headers }: RawResponse) => headers.get('repr-digest');
const get = (target: string, headers = {}, method = 'GET') =>
  fetchRaw(service, target, headers, method);

/** One of each shape: what is digested does not depend on the dataset. */
const SERVED = [...new Map([...FILLED_DATASETS, kibor].map((each) => [each.shape, each])).values()];
const datasetTargets = SERVED.map(({ shape, paths }) =>
  shape === 'fund' ? `${paths[0]}?fund_id=${FUND_ID}` : `${paths[0]}?`,
);
const historyTargets = ['changes/quotes?since=0', 'corrections/quotes?', 'vintages/kibor?'].map(
  (target) => `/${target}`,
);

describe('Repr-Digest of a response as of a revision', () => {
  test.each([
    ...datasetTargets,
    ...historyTargets,
    LARGE_PAGE,
    `${fundAllocation.paths[0]}?fund_id=none`,
  ])(
    '%s is the digest of the bytes as they are sent, in every format and encoding',
    async (path) => {
      const checkVariant = async (format: string, encoding: string) => {
        const target = `${path}&${PINNED}&format=${format}`;
        const headers = { 'accept-encoding': encoding };
        const first = await get(target, headers);
        const cached = await get(target, headers);
        const head = await get(target, headers, 'HEAD');
        expect([target, encoding, first.status]).toEqual([target, encoding, 200]);
        const digest = computeDigest(first.bytes);
        expect([first, cached, head].map(getDigest)).toEqual([digest, digest, digest]);
        expect(cached.bytes).toEqual(first.bytes);
        return `${first.headers.get('content-encoding')} ${digest}`;
      };
      for (const format of Object.keys(RESPONSE_FORMATS)) {
        const variants = await Promise.all(ENCODINGS.map((name) => checkVariant(format, name)));
        // Each encoding that was applied has bytes of its own.
        const digests = new Set(variants.map((variant) => variant.split(' ')[1]));
        expect(digests.size).toBe(new Set(variants).size);
      }
    },
  );

  test('is absent if the response may change, is no success, or has no body', async () => {
    const target = `${LARGE_PAGE}&${PINNED}`;
    const { headers, bytes } = await get(target);
    expect(bytes.length).toBeGreaterThan(300_000);
    const others = [
      await get(LARGE_PAGE),
      await get(`${LARGE_PAGE}&as_of=${new Date().toISOString().slice(0, 10)}`),
      await get(`${LARGE_PAGE}&as_of=2999-01-01`),
      await get(LARGE_PAGE, { 'accept-datetime': headers.get('memento-datetime') }),
      await get(`/2.0/bnb/curve?${PINNED}`),
      await get(`/catalogue?${PINNED}`),
      await get(`${LARGE_PAGE}&as_of=999`),
      await get(target, { 'if-none-match': headers.get('etag') }),
      await get(target, { 'if-match': '"other"' }),
    ];
    expect(others.map((sent) => [sent.status, getDigest(sent)])).toEqual(
      [200, 200, 200, 200, 200, 200, 400, 304, 412].map((status) => [status, null]),
    );
  });

  test('is that of the own bytes of what is derived from it', async () => {
    const tokens = service.store.tokens();
    const terms = { scopes: ['quotes'], rate: null, expiresAt: null };
    const target = `${LARGE_PAGE}&${PINNED}`;
    const { secret } = await issueLink(tokens, { ...terms, name: 'large', target });
    tokens.close();
    const targets = [`/links/${secret}`, `/openbb/security?${PINNED}`];
    for (const path of targets) {
      for (const encoding of ENCODINGS) {
        const sent = await get(path, { 'accept-encoding': encoding });
        expect([path, getDigest(sent)]).toEqual([path, computeDigest(sent.bytes)]);
      }
    }
    expect(getDigest(await get('/openbb/security'))).toBeNull();
  });
});

describe('Repr-Digest of a small export', () => {
  const files = SERVED.flatMap(({ name }) =>
    EXPORT_FORMATS.map((format) => `/exports/${name}.${format}`),
  );

  test('is that of the file, whether all of it, a part or nothing is sent', async () => {
    for (const target of files) {
      const head = await get(target, {}, 'HEAD');
      const whole = await get(target);
      const part = await get(`${target}?${PINNED}`, { range: 'bytes=0-2' });
      expect(part.status).toBe(206);
      const digest = computeDigest(whole.bytes);
      expect([target, ...[head, whole, part].map(getDigest)]).toEqual([
        ...[target, digest, digest, digest],
      ]);
    }
  });

  test('is absent if no part of the file is sent', async () => {
    const [target = ''] = files;
    const { headers } = await get(target);
    const unchanged = await get(target, { 'if-none-match': headers.get('etag') });
    const beyond = await get(target, { range: 'bytes=99999999-' });
    expect([unchanged, beyond].map((sent) => [sent.status, getDigest(sent)])).toEqual([
      [304, null],
      [416, null],
    ]);
  });
});
