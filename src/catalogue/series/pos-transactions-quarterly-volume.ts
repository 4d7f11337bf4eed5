import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { QUARTERS_AS_PUBLISHED, quarterly } from '../period.ts';

const million = amountIn('million transactions');

export const posTransactionsQuarterlyVolume = series({
  name: 'pos-transactions-quarterly-volume',
  title: 'POS transactions, quarterly volume',
  meaning: 'How many transactions were made at points of sale in a quarter, by kind of card.',
  notes: [
    'The source gives no total: a sum of the fields is the reader’s own.',
    'The field atm is the only one that is not named after a kind of card. The source does not say what it counts.',
    QUARTERS_AS_PUBLISHED,
  ],
  fields: {
    period: period(quarterly, 'Quarter'),
    atm: million('ATM'),
    debit_cards: million('Debit card'),
    credit_cards: million('Credit cards'),
    prepaid_cards: million('Pre-paid cards'),
    socialwelfare_card: million('Social welfare card'),
  },
  chart: stacked(
    ['atm', 'debit_cards', 'credit_cards', 'prepaid_cards', 'socialwelfare_card'],
    null,
  ),
  example: {
    period: 'Q2 2026',
    atm: 1.4,
    debit_cards: 84.9,
    credit_cards: 20.3,
    prepaid_cards: 1.1,
    socialwelfare_card: 0.2,
  },
});
