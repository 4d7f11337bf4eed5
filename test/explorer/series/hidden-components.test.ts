import { expect, test } from 'bun:test';
import { parseHidden, toggleHidden } from '../../../src/explorer/series/breakdown-components.ts';

test('toggling a component hides it, and removes the URL parameter once nothing is hidden', () => {
  const once = toggleHidden(parseHidden(undefined), 'atm');
  const twice = toggleHidden(parseHidden(once), 'debit_cards');
  expect([...parseHidden(twice)]).toEqual(['atm', 'debit_cards']);
  expect(toggleHidden(parseHidden(once), 'atm')).toBeUndefined();
});

test('a component that is removed is not hidden any more', () => {
  expect(toggleHidden(new Set(['atm', 'pos']), 'atm', true)).toBe('pos');
  expect(toggleHidden(new Set(['atm']), 'atm', true)).toBeUndefined();
  expect(toggleHidden(new Set(['atm']), 'pos', true)).toBe('atm');
});

test('the keys of hidden components may contain commas and percent signs', () => {
  const key = 'Bonds, 5 % and more';
  expect([...parseHidden(toggleHidden(new Set(['a']), key))]).toEqual(['a', key]);
});

test('a list of hidden components typed by hand may hold a bare percent sign', () => {
  expect([...parseHidden('5 %,atm,')]).toEqual(['5 %', 'atm']);
});
