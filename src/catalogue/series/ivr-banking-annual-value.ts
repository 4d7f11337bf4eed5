import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual, YEARS_AS_PUBLISHED } from '../period.ts';

const billion = amountIn('PKR billion');
const kinds = ['funds_transfers', 'funds_transfer', 'mobile_payment', 'utility_bills'] as const;

export const ivrBankingAnnualValue = series({
  name: 'ivr-banking-annual-value',
  title: 'Call centre / IVR banking transactions, annual value',
  meaning: 'What transactions through call centres and IVR banking were worth in a year, by kind.',
  notes: [
    'Here funds_transfers holds account to account transfers, and funds_transfer third-party ones. In the annual ATM series (atm-transactions-annual-volume) the two names are reversed.',
    'The field mobile_payment means payment through call centres, whatever its name suggests.',
    YEARS_AS_PUBLISHED,
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    total: billion('Total transactions value'),
    funds_transfers: billion('Account to account fund transfers'),
    funds_transfer: billion('Third-party account to account fund transfers'),
    mobile_payment: billion('Payment through call centres'),
    utility_bills: billion('Utility bill payments'),
  },
  identities: [partsMakeTotal('total', kinds)],
  chart: stacked(kinds, 'total'),
  example: {
    year: '2025',
    total: 15.9,
    funds_transfers: 6.2,
    funds_transfer: 4.7,
    mobile_payment: 4.3,
    utility_bills: 0.7,
  },
});
