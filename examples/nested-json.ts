// JSON by year and quarter, with a list of kinds in each, counted in ones.
import type { OpenedFile, posTransactionsQuarterlyVolume, RecordIn } from 'tenor';

export const options = { dataset: 'pos-transactions-quarterly-volume' };

const FIELDS: Readonly<Record<string, string>> = {
  'On-us ATM': 'atm',
  'Debit card': 'debit_cards',
  'Credit card': 'credit_cards',
  'Prepaid instrument': 'prepaid_cards',
  'Benefit transfer': 'socialwelfare_card',
};

interface Kind {
  readonly name: string;
  readonly instruments: readonly { readonly type: string; readonly count: number }[];
}

type Quarter = RecordIn<typeof posTransactionsQuarterlyVolume>;

export default async function* (file: OpenedFile): AsyncGenerator<Quarter> {
  for await (const { keys, value } of file.json('data.*.*.transactionData')) {
    const [year, quarter] = keys;
    const kinds = (value as Kind[]).map(({ name, instruments }) => {
      const total = instruments.find(({ type }) => type === 'TOTAL');
      const field = FIELDS[name];
      if (!field || !total) throw new Error(`the kind "${name}" is not known, or has no TOTAL`);
      return [field, total.count / 1e6];
    });
    yield { period: `Q${quarter} ${year}`, ...Object.fromEntries(kinds) };
  }
}
