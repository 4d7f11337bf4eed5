// JSON by year and quarter, with a list of kinds in each; ones in the file are millions in the
// catalogue.
import {
  at,
  type JsonValue,
  type OpenedFile,
  type posTransactionsQuarterlyVolume,
  type RecordIn,
} from 'tenor';

export const options = {
  dataset: 'pos-transactions-quarterly-volume',
  scale: {
    ...{ atm: '1e-6', debit_cards: '1e-6', credit_cards: '1e-6' },
    ...{ prepaid_cards: '1e-6', socialwelfare_card: '1e-6' },
  },
};

/** The objects that are read, each with a figure. */
const PATH = 'data.*.*.transactionData.*';

/** The names of the objects, and the fields that they hold; null leaves one out. */
const FIELDS: Readonly<Record<string, string | null>> = {
  'On-us ATM': 'atm',
  'Debit card': 'debit_cards',
  'Credit card': 'credit_cards',
  'Prepaid instrument': 'prepaid_cards',
  'Benefit transfer': 'socialwelfare_card',
};

/** The field of the period, and the period of an object. */
const PERIOD = 'period';
const getPeriod = (item: JsonValue) => `Q${item.keys[1]} ${item.keys[0]}`;

const getName = (item: JsonValue): string => item.value.name;

/** Which of several figures of an object is read. */
const PART = 'TOTAL';
const getFigure = (item: JsonValue) =>
  item.value.instruments.find(({ type }: { type: string }) => type === PART)?.count;

type Result = RecordIn<typeof posTransactionsQuarterlyVolume>;

export default async function* (file: OpenedFile): AsyncGenerator<Result> {
  const records = new Map<string, Record<string, unknown>>();
  for await (const item of file.json(PATH)) {
    const [name, period] = [getName(item), getPeriod(item)];
    const field = FIELDS[name];
    if (field === null) continue;
    if (field === undefined) throw new Error(`the name "${name}" is not known`);
    const record = records.get(period) ?? at(item, { [PERIOD]: period });
    if (field in record) throw new Error(`two objects of ${period} are ${field}`);
    records.set(period, Object.assign(record, { [field]: getFigure(item) }));
  }
  yield* records.values() as Iterable<Result>;
}
