import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual } from '../period.ts';

const billion = amountIn('PKR billion');

export const ivrBankingAnnualValue = series({
  name: 'ivr-banking-annual-value',
  title: 'Call centre / IVR banking transactions, annual value',
  meaning: 'What transactions through call centres and IVR banking were worth in a year, by kind.',
  fields: {
    year: period(annual, 'Year identifier'),
    total: billion('Total transactions value'),
    // Here the plural is own-bank and the singular third-party; the ATM series has them reversed.
    funds_transfers: billion('Account to account fund transfers'),
    funds_transfer: billion('Third-party account to account fund transfers'),
    mobile_payment: billion('Payment through call centres'),
    utility_bills: billion('Utility bill payments'),
  },
  identities: [
    partsMakeTotal('total', [
      'funds_transfers',
      'funds_transfer',
      'mobile_payment',
      'utility_bills',
    ]),
  ],
  example: {
    year: '2025',
    total: 15.9,
    funds_transfers: 6.2,
    funds_transfer: 4.7,
    mobile_payment: 4.3,
    utility_bills: 0.7,
  },
});
