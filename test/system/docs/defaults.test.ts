import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** What a user must know before the first request, as each page says it. */
const STATEMENTS = [
  /fund (?:asset )?allocation[^.]*market share/is,
  /`?fund_id`?/,
  /no fund_id provided/,
  /no_record_found/,
  /newest da(te|y) in the data/,
  /symbol` alone|with `symbol`, the newest/,
  /100/,
  /"data":\[\]|empty list/,
];

test.each([
  ['the README', ['README.md']],
  ['the tutorial', ['docs/tutorial.md']],
  ['the reference', ['docs/reference/http.md', 'docs/reference/datasets.md']],
])(
  '%s says when there is a message, what no date and no match mean, and what is needed',
  (_, pages) => {
    const text = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
    expect(STATEMENTS.filter((statement) => !statement.test(text)).map(String)).toEqual([]);
  },
);

test('the README has at most 100 lines', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(
    100,
  );
});
