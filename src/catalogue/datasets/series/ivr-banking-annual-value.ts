import { defineStackedSeries } from '../../model/dataset.ts';
import { period, pkrBillion } from '../../model/field-builders.ts';
import { annual } from '../../model/period.ts';

export const ivrBankingAnnualValue = defineStackedSeries({
  name: 'ivr-banking-annual-value',
  title: 'Call centre / IVR banking transactions, annual value',
  description:
    'What transactions through call centres and IVR banking were worth in a year, by kind.',
  notes: [
    'Here funds_transfers holds account to account transfers, and funds_transfer third-party ones. In the annual ATM series (atm-transactions-annual-volume) the two names are reversed.',
    'The field mobile_payment means payment through call centres, whatever its name suggests.',
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    total: pkrBillion('Total transactions value'),
    funds_transfers: pkrBillion('Account to account fund transfers'),
    funds_transfer: pkrBillion('Third-party account to account fund transfers'),
    mobile_payment: pkrBillion('Payment through call centres'),
    utility_bills: pkrBillion('Utility bill payments'),
  },
  example: {
    year: '2025',
    total: 15.9,
    funds_transfers: 6.2,
    funds_transfer: 4.7,
    mobile_payment: 4.3,
    utility_bills: 0.7,
  },
});
