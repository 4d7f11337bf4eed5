import { createDataset } from '../../model/create-dataset.ts';

export const mobileMoneyMarketShareValue = createDataset({
  name: 'mobile-money-market-share-value',
  title: 'Mobile money market share, by transaction value',
  description: 'Each operator’s share of the value of mobile money transactions in a month.',
  notes: [
    'Shares are fractions of one: 0.3 means 30 %.',
    'Shares are of what transactions were worth, not of how many there were or of accounts.',
    'The key others stands for every operator that is not named. Which ones are named may change from month to month.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/mobile-money-market-share-value',
  message: true,
  period: { kind: 'month', field: 'period' },
  measures: [],
  keyedList: {
    field: 'operators',
    title: 'Shares by operator',
    key: 'Operator name, or others for the rest',
    value: { title: 'Share of transaction value: 0.3 means 30 %', unit: 'fraction', kind: 'rate' },
  },
  checks: [{ sum: ['operators'], equals: 1 }],
  coverage: 'open',
  schedule: { cadence: 'monthly', delayDays: 45, toleranceDays: 15 },
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
