import { expect, test } from 'bun:test';
import { buildPinnedUrl } from '../../../src/explorer/export/build-pinned-url.ts';

type PinnedState = Parameters<typeof buildPinnedUrl>[1];

const STATE = {
  api: { asOf: undefined },
  catalogue: [{ shape: 'quotes', coverage: { first: '2023-07-03', last: '2026-06-30' } }],
  revisions: [{ revision: 25, publishedAt: '2026-07-14T06:24:00.000Z' }],
} as unknown as PinnedState;

test('a pinned URL has the instant of the newest revision, and the market’s newest day', () => {
  const { searchParams } = new URL(buildPinnedUrl('https://host/base/?type=bond#token=x', STATE));
  expect(Object.fromEntries(searchParams)).toEqual({
    view: 'market',
    type: 'bond',
    date: '2026-06-30',
    asof: '2026-07-14T06:24:00.000Z',
  });
});

test('a pinned URL keeps the chosen day and instant, and never has a token', () => {
  const url = 'https://host/?view=market&date=2025-01-02&asof=2026-01-01T00%3A00%3A00Z';
  const state = { ...STATE, api: { asOf: '2026-01-01T00:00:00Z' } };
  expect(buildPinnedUrl(`${url}#token=secret`, state)).toBe(url);
});

test('a pinned URL of another view has no day', () => {
  const url = new URL(buildPinnedUrl('https://host/?view=funds&fund=a', STATE));
  expect(url.search).toBe('?view=funds&fund=a&asof=2026-07-14T06%3A24%3A00.000Z');
});
