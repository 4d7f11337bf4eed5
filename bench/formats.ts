import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../src/schema/serialize-record.ts';
import { encodeRecords } from '../src/tabular/encode-records.ts';
import { quotesOf } from './generate-quotes-file.ts';
import { days } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';

const ROUNDS = 31;
const DAYS = 20;
const FORMS = ['csv', 'arrow', 'parquet'] as const;
type Form = (typeof FORMS)[number];

/** What it takes to put 10,000 quotes into columns, against lines of text. */
export async function formats(): Promise<Row[]> {
  const texts = days
    .slice(-DAYS)
    .flatMap((day) => quotesOf(day))
    .map((record) => serializeRecord(quotes, record));
  const rounds: Record<Form, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = { csv: 0, arrow: 0, parquet: 0 };
    for (const form of FORMS) times[form] = await milliseconds(form, texts);
    // The first rounds warm all of them up.
    if (round > 4) rounds.push(times);
  }
  const [csv, ...others] = FORMS;
  return others.map((form) => ({
    what: `${texts.length.toLocaleString('en')} quotes as ${form}`,
    measured: `${median(rounds.map((times) => times[form])).toFixed(1)} ms`,
    against: `${median(rounds.map((times) => times[csv])).toFixed(1)} ms, as CSV`,
    ratio: median(rounds.map((times) => times[form] / times[csv])),
    aim: '≤ 1',
  }));
}

async function milliseconds(form: Form, texts: readonly string[]): Promise<number> {
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of encodeRecords(quotes, form, texts)) bytes += chunk.length;
  if (bytes === 0) throw new Error(`nothing was written as ${form}`);
  return performance.now() - started;
}
