import { expect, test } from 'bun:test';
import { buildCitation } from '../../../src/explorer/export/build-citation.ts';

const CITED = {
  title: 'Prices & rates, 100 %',
  host: 'data.example.com',
  url: 'https://data.example.com/?view=payments&asof=2026-07-14T06%3A24%3A00.000Z',
  revision: { revision: 25, publishedAt: '2026-07-14T06:24:00.000Z' },
  accessed: new Date('2026-11-19T23:00:00Z'),
};

test('a citation has the title, the revision, its day, the address and the day of access', () => {
  expect(buildCitation(CITED)).toBe(
    `data.example.com: “Prices & rates, 100 %”, revision 25, published 2026-07-14. ${CITED.url} (accessed 2026-11-19).`,
  );
});
