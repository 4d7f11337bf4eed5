import { gzipSync } from 'node:zlib';
import { FILE_WRITERS } from '../../../src/formats/writers.ts';
import { concatChunks } from '../../formats/support/workbook.ts';
import {
  edit,
  filter,
  isBank,
  kind,
  rejects,
  relabel,
  scale,
  setFirst,
  unknown,
  warns,
} from './alter-declared.ts';
import { COUNTRIES, deposits, navs, rates, trade } from './declared-data.ts';
import { each, type HonestFile, type Loose, type NonsenseKind, toCsv } from './kind.ts';

export const COMPLETENESS_KINDS: readonly NonsenseKind[] = [
  kind(
    'one bank missing',
    deposits,
    filter(({ bank }) => bank !== 'MCB'),
    warns('series-missing'),
  ),
  kind(
    'one tenor missing',
    rates,
    filter(({ tenor }) => tenor !== '6M'),
    warns('series-missing'),
  ),
  kind(
    'half of the records missing',
    [deposits, navs],
    filter((_, index) => index % 2 === 0),
    rejects('--partial'),
  ),
  {
    ...kind(
      'two days at once, the first of which lacks half',
      navs,
      (file, dataset) => [
        ...file.records.filter((_, index) => index % 2 === 0),
        ...(relabel(1)(file, dataset) as Loose[]),
      ],
      rejects('--partial'),
    ),
    options: { allowsFuture: true },
  },
  {
    ...kind(
      'two days at once, both without one fund',
      navs,
      (file, dataset) =>
        [...file.records, ...(relabel(1)(file, dataset) as Loose[])].filter(
          ({ fund }) => fund !== '00432',
        ),
      warns('series-missing'),
    ),
    options: { allowsFuture: true },
  },
  kind(
    'one sector alone',
    deposits,
    filter(({ sector }) => sector === 'public'),
    rejects('--partial'),
  ),
  kind(
    'a file that was cut between two rows',
    navs,
    filter((_, index) => index < 4),
    rejects('--partial'),
  ),
  kind(
    'one country missing',
    trade,
    filter(({ country }) => country !== COUNTRIES[1]),
    unknown('if the declaration says coverage open, any value may be missing'),
  ),
  kind(
    'no records',
    deposits,
    () => 'month,bank,sector,retail,other,total\n',
    rejects('no records'),
  ),
  kind('an empty file', deposits, () => '', rejects('no records')),
  kind(
    'a file that was cut within a row',
    deposits,
    edit((text) => text.slice(0, -12)),
    rejects('cells'),
  ),
  kind(
    'a column missing',
    [deposits, navs],
    ({ records }) => toCsv(records.map(({ retail: _, nav: __, ...record }) => record)),
    rejects('without a column for'),
  ),
  kind(
    'the column of a dimension missing',
    trade,
    ({ records }) => toCsv(records.map(({ country: _, ...record }) => record)),
    rejects('country'),
  ),
  kind(
    'an optional column missing',
    trade,
    ({ records }) => toCsv(records.map(({ imports: _, ...record }) => record)),
    warns('measure-missing'),
  ),
  kind(
    'a column of another name',
    navs,
    edit((text) => text.replace('nav\n', 'price\n')),
    rejects('price'),
  ),
  kind(
    'a column that no field has',
    rates,
    each(() => ({ mid: 1 })),
    rejects('mid'),
  ),
  kind(
    'two columns of one name',
    rates,
    edit((text) => text.replace('bid', 'offer')),
    rejects('offer'),
  ),
  kind(
    'a row with a cell too few',
    navs,
    edit((text) => text.replace(/,[^,]*\n$/, '\n')),
    rejects('cells'),
  ),
  kind(
    'a row with a cell too many',
    deposits,
    edit((text) => text.replace(/\n$/, ',7\n')),
    rejects('cells'),
  ),
  kind(
    'the header again in the middle',
    navs,
    edit((text) => `${text}${text.split('\n')[0]}\n`),
    rejects('a day such as'),
  ),
  kind(
    'a footer with a sum',
    deposits,
    edit((text) => `${text}Total,,,1,2,3\n`),
    rejects('a month such as'),
  ),
  kind(
    'a source below the rows',
    rates,
    edit((text) => `${text}Source: an association,,,\n`),
    rejects('a day such as'),
  ),
  kind(
    'no header',
    navs,
    edit((text) => text.split('\n').slice(1).join('\n')),
    rejects('header'),
  ),
  kind(
    'a page of an error',
    rates,
    () => '<html><body>502 Bad Gateway</body></html>',
    rejects('HTML'),
  ),
  kind(
    'records under other names',
    navs,
    ({ records }) => records.map(({ date, fund, nav }) => ({ date, id: fund, value: nav })),
    rejects('id'),
  ),
  kind(
    'one series in thousands',
    deposits,
    scale(1000, ({ sector }) => sector === 'public'),
    warns('scale-jump'),
  ),
];

const writeTable = async (format: keyof typeof FILE_WRITERS, records: readonly Loose[]) => {
  const names = Object.keys(records[0] ?? {});
  const columns = names.map((name) => ({
    name,
    type: typeof records[0]?.[name] === 'number' ? ('number' as const) : ('text' as const),
  }));
  const rows = (async function* () {
    yield records.map((record) => names.map((name) => record[name]));
  })();
  return Uint8Array.from(await concatChunks(FILE_WRITERS[format]({ columns, rows, title: 'a' })));
};
/** One bank × 1000, in every format. */
const wrong = (file: HonestFile) => scale(1000, isBank('MCB'))(file, deposits) as readonly Loose[];
const inFormat = (
  name: string,
  file: string,
  write: (records: readonly Loose[]) => Uint8Array | Promise<Uint8Array>,
) => ({
  ...kind(
    `one series × 1000, ${name}`,
    deposits,
    (honest) => write(wrong(honest)),
    warns('scale-jump'),
  ),
  file,
});
const cut = (
  name: string,
  file: string,
  write: (records: readonly Loose[]) => Uint8Array | Promise<Uint8Array>,
  text: string,
) => ({
  ...kind(
    `${name} that was cut`,
    deposits,
    async ({ records }) => (await write(records)).slice(0, -40),
    rejects(text),
  ),
  file,
});
const toBytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  Uint8Array.from(Buffer.from(text, encoding));
const toJson = (records: readonly Loose[]) => toBytes(JSON.stringify(records));

export const FORMAT_KINDS: readonly NonsenseKind[] = [
  inFormat('in CSV', 'a.csv', (records) => toBytes(toCsv(records))),
  inFormat('in CSV with semicolons', 'a.csv', (records) =>
    toBytes(toCsv(records).replaceAll(',', ';')),
  ),
  inFormat('in UTF-16', 'a.csv', (records) => toBytes(`\ufeff${toCsv(records)}`, 'utf16le')),
  inFormat('in TSV', 'a.tsv', (records) => writeTable('tsv', records)),
  inFormat('in NDJSON', 'a.ndjson', (records) =>
    toBytes(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  ),
  inFormat('in a workbook', 'a.xlsx', (records) => writeTable('xlsx', records)),
  inFormat('in Parquet', 'a.parquet', (records) => writeTable('parquet', records)),
  inFormat('in a compressed file', 'a.csv.gz', (records) =>
    Uint8Array.from(gzipSync(toCsv(records))),
  ),
  cut('JSON', 'a.json', toJson, 'JSON'),
  cut('a workbook', 'a.xlsx', (records) => writeTable('xlsx', records), 'ZIP'),
  cut('a Parquet file', 'a.parquet', (records) => writeTable('parquet', records), 'Parquet'),
  cut(
    'a compressed file',
    'a.csv.gz',
    (records) => Uint8Array.from(gzipSync(toCsv(records))),
    'cut short',
  ),
  kind(
    'figures with decimal commas',
    rates,
    edit((text) => text.replaceAll(',', ';').replace(/(\d)\.(\d)/g, '$1,$2')),
    rejects('number'),
  ),
  kind(
    'figures with decimal commas, as text of JSON',
    navs,
    each(({ nav }) => ({ nav: String(nav).replace('.', ',') })),
    rejects('number'),
  ),
  kind(
    'figures with spaces between thousands and another separator',
    deposits,
    setFirst({ retail: "1'234.5 0" }),
    rejects('number'),
  ),
  kind(
    'a quote that never ends',
    trade,
    edit((text) => text.replace('China', '"China')),
    rejects('quot'),
  ),
];
