import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../src/schema/serialize-record.ts';
import { encodeRecords } from '../src/tabular/encode-records.ts';
import { generateQuotes } from './generate-quotes-file.ts';
import { days } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { median } from './statistics.ts';

const ROUNDS = 31;
const DAYS = 20;
const FORMATS = ['csv', 'arrow', 'parquet', 'xlsx'] as const;
type FormatName = (typeof FORMATS)[number];

/** Parquet is written by a library; a workbook has a cell's address, style and value for each figure. */
const AIMS = { arrow: '≤ 1', parquet: '≤ 2', xlsx: '≤ 8' };

/** Encoding 10,000 quotes in other formats, compared with CSV. */
export async function benchmarkFormats(): Promise<ResultRow[]> {
  const texts = days
    .slice(-DAYS)
    .flatMap((day) => generateQuotes(day))
    .map((record) => serializeRecord(quotes, record));
  const rounds: Record<FormatName, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = { csv: 0, arrow: 0, parquet: 0, xlsx: 0 };
    for (const format of FORMATS) times[format] = await measureEncoding(format, texts);
    // The first rounds warm up.
    if (round > 4) rounds.push(times);
  }
  const [csv, ...otherFormats] = FORMATS;
  return otherFormats.map((format) => ({
    label: `${texts.length.toLocaleString('en')} quotes as ${format}`,
    measured: `${median(rounds.map((times) => times[format])).toFixed(1)} ms`,
    baseline: `${median(rounds.map((times) => times[csv])).toFixed(1)} ms, as CSV`,
    ratio: median(rounds.map((times) => times[format] / times[csv])),
    aim: AIMS[format],
  }));
}

async function measureEncoding(format: FormatName, texts: readonly string[]): Promise<number> {
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of encodeRecords(quotes, format, texts)) bytes += chunk.length;
  if (bytes === 0) throw new Error(`nothing was written as ${format}`);
  return performance.now() - started;
}
