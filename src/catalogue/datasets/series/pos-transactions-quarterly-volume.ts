import { defineStackedSeries } from '../../model/dataset.ts';
import { millionTransactions, period } from '../../model/field-builders.ts';
import { quarterly } from '../../model/period.ts';

export const posTransactionsQuarterlyVolume = defineStackedSeries({
  name: 'pos-transactions-quarterly-volume',
  title: 'POS transactions, quarterly volume',
  description: 'How many transactions were made at points of sale in a quarter, by kind of card.',
  notes: [
    'The source gives no total: a sum of the fields is the reader’s own.',
    'The field atm is the only one that is not named after a kind of card. The source does not say what it counts.',
  ],
  fields: {
    period: period(quarterly, 'Quarter'),
    atm: millionTransactions('ATM'),
    debit_cards: millionTransactions('Debit card'),
    credit_cards: millionTransactions('Credit cards'),
    prepaid_cards: millionTransactions('Pre-paid cards'),
    socialwelfare_card: millionTransactions('Social welfare card'),
  },
  example: {
    period: 'Q2 2026',
    atm: 1.4,
    debit_cards: 84.9,
    credit_cards: 20.3,
    prepaid_cards: 1.1,
    socialwelfare_card: 0.2,
  },
});
