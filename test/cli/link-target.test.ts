import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Scope } from '../../src/catalogue/model/dataset.ts';
import { UsageError } from '../../src/cli/command.ts';
import { checkLinkTarget } from '../../src/cli/link-target.ts';
import { createStore, fillStore, type TestStore } from '../support/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await fillStore(await createStore());
});
afterAll(() => store.remove());

describe('the target of a new link', () => {
  test.each<[string, readonly Scope[]]>([
    ['/2.0/bnb/quote?type=tbill&format=csv&limit=10000', ['quotes']],
    ['/3.0/alternate/payments-market-players', ['alternate']],
    ['/datasets/payments-market-players?limit=10000', ['alternate']],
    ['/3.0/funds?format=csv', ['funds']],
    ['/2.0/bnb/curve', ['quotes']],
    [
      '/aligned?columns=quotes.ytm(symbol=CEDARTFC1),branchless-banking-agents.total&limit=10000',
      ['quotes', 'alternate'],
    ],
    ['/exports/fund-allocation.parquet', ['funds']],
    ['/corrections/quotes?limit=10000', ['quotes']],
    ['/changes/quotes?since=0&limit=10000', ['quotes']],
    ['/vintages/quotes?limit=10000', ['quotes']],
    ['/revisions?limit=10000', ['*']],
    ['/catalogue?limit=10000', ['*']],
    ['/catalogue?format=csv&fields=name&limit=10000', ['*']],
    ['/corrections/quotes?limit=10000&format=xlsx', ['quotes']],
    ['/datapackage.json', ['*']],
  ])('decides the scopes: %s', async (target, scopes) => {
    expect(await checkLinkTarget(store, target)).toEqual({ scopes: [...scopes], notes: [] });
  });

  test.each([
    ['quotes', 'must be the path and query'],
    ['http://127.0.0.1:8080/2.0/bnb/quote', 'must be the path and query'],
    ['/2.0/bnb/quote?symbol=ä', 'percent-encoded'],
    ['/2.0/bnb/quote?symbol=a b', 'percent-encoded'],
    ['/2.0/bnb/quote#x', 'must be the path and query'],
    [`/2.0/bnb/quote?symbol=${'x'.repeat(2_000)}`, '2000 characters'],
    ['/2.0/bnb/qoute', 'no data at "/2.0/bnb/qoute" (did you mean /2.0/bnb/quote?)'],
    ['/', 'no data at "/"'],
    ['/events', 'no data at "/events"'],
    ['/openapi.json', 'no data at "/openapi.json"'],
    ['/links/tenor_link_x', 'no data at'],
    ['/2.0/bnb/quote?colour=red', 'unknown parameter "colour"'],
    ['/2.0/bnb/quote?limit=0', 'parameter "limit" must be'],
    ['/2.0/bnb/quote?as_of=99', 'parameter "as_of"'],
    ['/2.0/bnb/quote?cursor=x', 'cannot have a cursor'],
    ['/3.0/funds/allocation', 'no fund_id provided'],
    ['/changes/quotes', 'parameter "since" is missing'],
    ['/revisions/99', 'not_found'],
  ])('is rejected in one line: %s', async (target, problem) => {
    const rejection = checkLinkTarget(store, target);
    await expect(rejection).rejects.toThrow(UsageError);
    await expect(rejection).rejects.toThrow(problem);
    await rejection.catch(({ message }) => expect(message).not.toContain('\n'));
  });

  test.each([
    ['/2.0/bnb/quote', 'serves at most 100 records; the maximum is limit=10000'],
    ['/2.0/bnb/quote?from=2000-01-01&limit=1', 'more records match than limit=1'],
    ['/3.0/funds/allocation?fund_id=unknown', 'currently gives no_record_found'],
  ])('comes with a note if its response may leave something out: %s', async (target, note) => {
    const { notes } = await checkLinkTarget(store, target);
    expect(notes.join()).toContain(note);
  });
});
