import { expect, test } from 'bun:test';
import { parseHidden, toggleHidden } from '../../../src/explorer/breakdown/hidden-components.ts';

test('hides and shows again, until nothing stands in the address', () => {
  const once = toggleHidden(parseHidden(undefined), 'atm');
  const twice = toggleHidden(parseHidden(once), 'debit_cards');
  expect([...parseHidden(twice)]).toEqual(['atm', 'debit_cards']);
  expect(toggleHidden(parseHidden(once), 'atm')).toBeUndefined();
});

test('takes keys with commas and percent signs for what they are', () => {
  const odd = 'Bonds, 5 % and more';
  expect([...parseHidden(toggleHidden(new Set(['a']), odd))]).toEqual(['a', odd]);
});

test('takes an address that was written by hand as it is', () => {
  expect([...parseHidden('5 %,atm,')]).toEqual(['5 %', 'atm']);
});
