import { expect, test } from 'bun:test';
import { hiddenIn, toggled } from '../../../src/explorer/composition/hiding.ts';

test('hides and shows again, until nothing stands in the address', () => {
  const once = toggled(hiddenIn(undefined), 'atm');
  const twice = toggled(hiddenIn(once), 'debit_cards');
  expect([...hiddenIn(twice)]).toEqual(['atm', 'debit_cards']);
  expect(toggled(hiddenIn(once), 'atm')).toBeUndefined();
});

test('takes keys with commas and percent signs for what they are', () => {
  const odd = 'Bonds, 5 % and more';
  expect([...hiddenIn(toggled(new Set(['a']), odd))]).toEqual(['a', odd]);
});

test('takes an address that was written by hand as it is', () => {
  expect([...hiddenIn('5 %,atm,')]).toEqual(['5 %', 'atm']);
});
