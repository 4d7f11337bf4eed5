import { defineSeries } from '../../model/dataset.ts';
import { period, pkrBillion } from '../../model/field-builders.ts';
import { monthly } from '../../model/period.ts';

export const settlementTransactionsValue = defineSeries({
  name: 'settlement-transactions-value',
  title: 'Settlement-system transactions, by value',
  description:
    'What the transactions settled in the large-value system were worth in a month, by kind.',
  notes: [
    'The source gives no total, and nothing says that the four kinds make up the whole.',
    'The kinds differ widely in size: on one axis, the smaller ones look flat.',
    'The field ibft is not inter_bank of the quarterly ATM series, although both are called inter-bank fund transfers.',
  ],
  fields: {
    period: period(monthly, 'Month'),
    govt_securities: pkrBillion('Government securities'),
    ibft: pkrBillion('Inter-bank fund transfers'),
    third_party_transfer: pkrBillion('Third-party customer transfers'),
    ancillary_clearing: pkrBillion('Ancillary clearing settlement'),
  },
  chart: {
    kind: 'lines',
    fields: ['govt_securities', 'ibft', 'third_party_transfer', 'ancillary_clearing'],
    total: null,
  },
  example: {
    period: 'Jun 2026',
    govt_securities: 61240.7,
    ibft: 18930.4,
    third_party_transfer: 9412.6,
    ancillary_clearing: 2711.9,
  },
});
