import { expect, test } from 'bun:test';
import {
  findSecrets,
  parseSecrets,
  sortLinkedData,
} from '../../../src/explorer/embed/read-links.ts';
import { buildFrame, buildLinkCommands } from '../../../src/explorer/export/embed-code.ts';

const SOURCE = {
  requests: [
    { path: '/2.0/bnb/quote', parameters: { symbol: 'A,B', from: '2026-01-01', to: undefined } },
    { path: '/2.0/bnb/curve' },
  ],
  title: 'The desk\'s <curve> & "more"',
  asOf: undefined,
  hasSample: true,
};

test('a chart needs one link for each of its requests', () => {
  expect(buildLinkCommands(SOURCE).split('\n')).toEqual([
    `npx tenor link create '/2.0/bnb/quote?symbol=A,B&from=2026-01-01' --name 'The desk'\\''s <curve> & "more"' --expires 90d`,
    `npx tenor link create '/2.0/bnb/curve' --name 'The desk'\\''s <curve> & "more"' --expires 90d`,
  ]);
  const asOf = '2026-07-01T00:00:00Z';
  expect(buildLinkCommands({ ...SOURCE, asOf })).toContain("curve?as_of=2026-07-01T00%3A00%3A00Z'");
});

test('the secrets are in the fragment of the frame alone, and nothing breaks out of its attributes', () => {
  const href = 'https://a.example/x/?view=market&type=bond&asof=2026-07-01T00:00:00Z#token=t';
  const frame = buildFrame(href, SOURCE, ['s-1', 's_2']);
  const source = (/src="([^"]*)"/.exec(frame)?.[1] ?? '').replaceAll('&amp;', '&');
  const url = new URL(source);
  expect([url.origin, url.pathname]).toEqual(['https://a.example', '/x/']);
  expect(parseSecrets(url.hash)).toEqual(['s-1', 's_2']);
  expect(url.search).toMatch(/^\?embed&view=market&type=bond&title=/);
  expect(url.searchParams.get('title')).toBe(SOURCE.title);
  expect(frame).not.toMatch(/asof|token/);
  expect(frame).not.toContain('<curve>');
  expect(frame.match(/"/g)?.length).toBe(12);
});

test('the secrets are found in what the commands print, each once', () => {
  const printed = `/links/tenor_link_aB-1\n\nlk_1 (x) gives /2.0 without a token.
    https://a.example/links/tenor_link_c_2 /links/tenor_link_aB-1`;
  expect(findSecrets(printed)).toEqual(['tenor_link_aB-1', 'tenor_link_c_2']);
  expect(findSecrets('nothing')).toEqual([]);
});

test('what links give is distinguished by its fields', () => {
  const [quote, figure, curve, fund, record] = [
    { symbol: 'A', bidPrice: 1 },
    { symbol: 'A', dirtyPrice: 1 },
    { date: '2026-06-30', points: [] },
    { fund_id: 'f', rows: [] },
    { period: 'Q2 2026', total: 1 },
  ];
  const linked = sortLinkedData([[quote], [figure], [curve], fund, [record]]);
  expect(linked).toMatchObject({
    quotes: [quote],
    analytics: [figure],
    curves: [curve],
    funds: [fund],
    records: [record],
  });
});
