import { expect, test } from 'bun:test';
import { listAccounts } from '../../../src/explorer/ledger/list-accounts.ts';

test('the accounts that released a revision stand before its author, and none of one that was loaded', () => {
  expect(listAccounts({})).toEqual([]);
  expect(listAccounts({ release: { note: 'Revised.' } })).toEqual([]);
  const release = { stagedBy: 'ann', approvedBy: ['bob', 'eve'], publishedBy: 'root' };
  expect(listAccounts({ release })).toEqual([
    { name: 'Published by', value: 'root' },
    { name: 'Staged by', value: 'ann' },
    { name: 'Approved by', value: 'bob, eve' },
  ]);
  expect(listAccounts({ release: { ...release, approvedBy: [], urgent: '<b>Now</b>' } })).toEqual([
    { name: 'Published by', value: 'root' },
    { name: 'Staged by', value: 'ann' },
    { name: 'Without approval', value: '<b>Now</b>' },
  ]);
});
