import { expect, test } from 'bun:test';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

/**
 * The specification's twelve operations, written out by hand from its tables: paths, whether
 * success carries a message, and the fields of a record in their order.
 */
const specification: Readonly<Record<string, readonly [message: boolean, fields: string]>> = {
  '/2.0/bnb/quote': [
    false,
    'date symbol isin type maturityDate maturityYears bidPrice askPrice lastPrice bidVolume askVolume volume ytm duration',
  ],
  '/2.0/bnb/quotes': [
    false,
    'date symbol isin type maturityDate maturityYears bidPrice askPrice lastPrice bidVolume askVolume volume ytm duration',
  ],
  '/3.0/funds/allocation?fund_id=5a3b0f1e-0000-4000-8000-00000000000b': [
    true,
    'fund_id created modified frequency periods(label date) rows(label values)',
  ],
  '/3.0/alternate/atm-transactions-annual-volume': [
    false,
    'year atm_cash atm_deposit deposit_instrument funds_transfer utility_bills funds_transfers total',
  ],
  '/3.0/alternate/atm-transactions-quarterly-value': [
    false,
    'period cash_withdrawl intra_bank inter_bank utility_bills cash_deposits total',
  ],
  '/3.0/alternate/payments-market-players': [
    false,
    'year total banks mfbs digitalbanks pso_psp emis',
  ],
  '/3.0/alternate/ivr-banking-annual-value': [
    false,
    'year total funds_transfers funds_transfer mobile_payment utility_bills',
  ],
  '/3.0/alternate/mobile-money-accounts-male': [true, 'period national provinces(key value)'],
  '/3.0/alternate/branchless-banking-agents': [true, 'period total provinces(key value)'],
  '/3.0/alternate/pos-transactions-quarterly-volume': [
    false,
    'period atm debit_cards credit_cards prepaid_cards socialwelfare_card',
  ],
  '/3.0/alternate/mobile-money-market-share-value': [true, 'period operators(key value)'],
  '/3.0/alternate/settlement-transactions-value': [
    false,
    'period govt_securities ibft third_party_transfer ancillary_clearing',
  ],
  '/3.0/alternate/online-banking-annual-volume': [
    false,
    'year cash_wtl cash_deposit funds_transfer total',
  ],
};

const service = useTestServer(createFilledStore);

test.each(Object.entries(specification))(
  '%s responds with the specified fields in order',
  async (...args) => {
    const [target, [carriesMessage, fields]] = args;
    const response = await service.request(target);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('tenor-revision')).toMatch(/^\d+$/);
    const text = await response.text();
    const body = JSON.parse(text);
    const keys = carriesMessage ? ['status', 'message', 'data'] : ['status', 'data'];
    expect(Object.keys(body)).toEqual(keys);
    expect(body.status).toBe('ok');
    if (carriesMessage) expect(body.message).toBe('');
    const records: object[] = Array.isArray(body.data) ? body.data : [body.data];
    expect(Array.isArray(body.data)).toBe(!target.startsWith('/3.0/funds'));
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) expect(shapeOf(record)).toBe(fields);
    // Compact, and each number the shortest decimal that parses back.
    expect(text).toBe(JSON.stringify(body));
  },
);

/** The names of a record's fields in order, with those of list elements in brackets. */
function shapeOf(record: object): string {
  const names = Object.entries(record).map(([name, value]) => {
    const inner = Array.isArray(value) && typeof value[0] === 'object' ? value.map(shapeOf) : [];
    expect(new Set(inner).size).toBeLessThanOrEqual(1);
    return inner.length > 0 ? `${name}(${inner[0]})` : name;
  });
  return names.join(' ');
}
