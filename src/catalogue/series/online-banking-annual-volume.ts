import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual, YEARS_AS_PUBLISHED } from '../period.ts';

const million = amountIn('million transactions');
const kinds = ['cash_wtl', 'cash_deposit', 'funds_transfer'] as const;

export const onlineBankingAnnualVolume = series({
  name: 'online-banking-annual-volume',
  title: 'Real-time online banking transactions, annual volume',
  meaning: 'How many real-time transactions were made at online branches in a year, by kind.',
  notes: [YEARS_AS_PUBLISHED],
  fields: {
    year: period(annual, 'Year identifier'),
    cash_wtl: million('Cash withdrawal'),
    cash_deposit: million('Cash deposit'),
    funds_transfer: million('Account to account funds transfer'),
    total: million('Total transactions'),
  },
  identities: [partsMakeTotal('total', kinds)],
  chart: stacked(kinds, 'total'),
  example: { year: '2025', cash_wtl: 61.3, cash_deposit: 82.6, funds_transfer: 55.2, total: 199.1 },
});
