import { expect, test } from 'bun:test';
import { createIdShortener } from '../../../src/explorer/funds/shorten-ids.ts';

test('shortens identifiers to their ends', () => {
  const ids = ['5a3b0f1e-0000-4000-8000-000000000001', '5a3b0f1e-0000-4000-8000-000000000002'];
  expect(ids.map(createIdShortener(ids))).toEqual(['5a3b…0001', '5a3b…0002']);
});

test('keeps as much as tells them apart', () => {
  const ids = ['aaaa11-long-in-the-middle-22bbbb', 'aaaa33-long-in-the-middle-44bbbb'];
  expect(ids.map(createIdShortener(ids))).toEqual(['aaaa11…22bbbb', 'aaaa33…44bbbb']);
});

test('leaves them whole where only their middles differ, or where they are short', () => {
  const same = ['a-long-beginning-1-a-long-ending', 'a-long-beginning-2-a-long-ending'];
  expect(same.map(createIdShortener(same))).toEqual(same);
  expect(createIdShortener(['fund-1', 'fund-2'])('fund-1')).toBe('fund-1');
});
