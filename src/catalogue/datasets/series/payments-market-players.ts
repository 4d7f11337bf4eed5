import { defineStackedSeries } from '../../model/dataset.ts';
import { period, wholeAmountIn } from '../../model/field-builders.ts';
import { annual } from '../../model/period.ts';

const institutionCount = wholeAmountIn('institutions');

export const paymentsMarketPlayers = defineStackedSeries({
  name: 'payments-market-players',
  title: 'Licensed market players',
  description: 'How many institutions hold a licence in the payments market, by kind.',
  notes: [
    'The field pso_psp counts payment system operators and payment service providers together.',
    'The source does not say on which day of the year licences were counted.',
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    total: institutionCount('Total licensed players'),
    banks: institutionCount('Banks'),
    mfbs: institutionCount('Microfinance banks'),
    digitalbanks: institutionCount('Digital banks'),
    pso_psp: institutionCount('Payment system operators / payment service providers'),
    emis: institutionCount('Electronic money institutions'),
  },
  example: { year: '2025', total: 61, banks: 32, mfbs: 12, digitalbanks: 3, pso_psp: 9, emis: 5 },
});
