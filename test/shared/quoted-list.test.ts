import { expect, test } from 'bun:test';
import { quoteItem } from '../../src/client/build-url.ts';
import { quoteListItem, splitQuotedList } from '../../src/shared/quoted-list.ts';

test.each([
  ['A', ['A']],
  ['A,B', ['A', 'B']],
  ['"Korea, Rep.",India', ['Korea, Rep.', 'India']],
  ['India,"Korea, Rep."', ['India', 'Korea, Rep.']],
  ['"a""b"', ['a"b']],
  ['A,', ['A', '']],
  ['"A', undefined],
  ['"A"B', undefined],
] as const)('%s is the list %j', (text, items) => {
  expect(splitQuotedList(text)).toEqual(items as string[] | undefined as never);
});

test('an item is quoted if a list needs it, by the client as well', () => {
  for (const item of ['A', 'Korea, Rep.', 'a"b', 'a b']) {
    expect(splitQuotedList([quoteListItem(item), 'Z'].join())).toEqual([item, 'Z']);
    expect(quoteItem(item)).toBe(quoteListItem(item));
  }
});
