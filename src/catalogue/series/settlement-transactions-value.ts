import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { monthly } from '../period.ts';

const billion = amountIn('PKR billion');

export const settlementTransactionsValue = series({
  name: 'settlement-transactions-value',
  title: 'Settlement-system transactions, by value',
  meaning:
    'What the transactions settled in the large-value system were worth in a month, by kind.',
  fields: {
    period: period(monthly, 'Month'),
    govt_securities: billion('Government securities'),
    ibft: billion('Inter-bank fund transfers'),
    third_party_transfer: billion('Third-party customer transfers'),
    ancillary_clearing: billion('Ancillary clearing settlement'),
  },
  example: {
    period: 'Jun 2026',
    govt_securities: 61240.7,
    ibft: 18930.4,
    third_party_transfer: 9412.6,
    ancillary_clearing: 2711.9,
  },
});
