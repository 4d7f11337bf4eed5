import { defineCheck } from '../../model/consistency-check.ts';
import { defineSeries } from '../../model/dataset.ts';
import { keyedList, period, share } from '../../model/field-builders.ts';
import { monthly } from '../../model/period.ts';

export const mobileMoneyMarketShareValue = defineSeries({
  name: 'mobile-money-market-share-value',
  title: 'Mobile money market share, by transaction value',
  description: 'Each operator’s share of the value of mobile money transactions in a month.',
  hasMessage: true,
  notes: [
    'Shares are fractions of one: 0.3 means 30 %.',
    'Shares are of what transactions were worth, not of how many there were or of accounts.',
    'The key others stands for every operator that is not named. Which ones are named may change from month to month.',
  ],
  fields: {
    period: period(monthly, 'Month'),
    operators: keyedList(
      'Shares by operator',
      'Operator name, or others for the rest',
      share('Share of transaction value: 0.3 means 30 %'),
    ),
  },
  checks: [defineCheck('shares-off-one', 'operators', [])],
  chart: { kind: 'shares', fields: ['operators'], total: null },
  example: {
    period: 'Jun 2026',
    operators: [
      { key: 'lapwingcash', value: 0.42 },
      { key: 'tamarindpay', value: 0.37 },
      { key: 'quailwallet', value: 0.14 },
      { key: 'others', value: 0.07 },
    ],
  },
});
