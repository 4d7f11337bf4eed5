import { representations } from '../catalogue/representation.ts';
import type { Call, Command } from './command.ts';
import { print, WrongUse } from './command.ts';
import { asOfNamed } from './query/as-of.ts';
import type { Ask } from './query/asking.ts';
import { withAsk } from './query/asking.ts';
import type { Format } from './query/output.ts';
import { printCount, writeAnswer } from './query/output.ts';
import type { Wanted } from './query/pages.ts';
import { AnswerRefused, pages } from './query/pages.ts';
import { printTable } from './query/print-table.ts';
import type { Asked } from './query/target.ts';
import { askedFor } from './query/target.ts';

export const query: Command = {
  usage: 'query OPERATION [NAME=VALUE…] [--all] [--csv | --json | --ndjson | --count]',
  words: Number.POSITIVE_INFINITY,
  summary: 'Print what an operation of the API answers, as a table',
  options: {
    'as-of': {
      value: 'WHEN',
      help: 'As it stood: a revision, an instant, or the end of a day (UTC)',
    },
    all: { help: 'Every record that matches, beyond the limit of one answer' },
    count: { help: 'Only how many records match' },
    csv: { help: 'As CSV' },
    json: { help: 'As JSON: the body of the answer' },
    ndjson: { help: 'As JSON, a record on each line' },
    'no-sparklines': { help: 'Without the courses of series in time' },
    width: { value: 'N', help: 'How wide the table may be (default: the terminal)' },
    url: { value: 'URL', help: 'Ask a running server, not the database' },
    'token-file': { value: 'FILE', help: 'The token for --url (default: API_TOKEN)' },
  },
  more: [
    'OPERATION is the name of a dataset, catalogue, securities, funds, revisions, revisions/N, or',
    'a path of the API. NAME=VALUE are its parameters:',
    '',
    '  tenor query quotes type=tbill limit=10',
    '  tenor query quotes symbol=ZZ12TB031226 from=2026-01-01 --all',
    '  tenor query "/2.0/bnb/quote?date=2026-06-30" --csv',
    '  tenor query branchless-banking-agents --as-of 2026-06-30',
  ].join('\n'),
  async run(call) {
    const format = formatOf(call);
    const width = widthIn(call);
    const asked = askedFor(call.words, call.options.all === true);
    await withAsk(call, (ask) => answer(call, ask, asked, format, width)).catch((cause) => {
      if (cause instanceof AnswerRefused && format === 'json') print(cause.body);
      throw cause;
    });
  },
};

async function answer(
  call: Call,
  ask: Ask,
  asked: Asked,
  format: Format | 'count' | undefined,
  width: number | undefined,
): Promise<void> {
  const { all, 'as-of': when, 'no-sparklines': noSparklines } = call.options;
  const asOf = await asOfNamed(ask, when);
  const wanted: Wanted = {
    accept: representations[format === 'count' || !format ? 'json' : format].mediaType,
    all: all === true || format === 'count',
    ...(asOf && { asOf }),
  };
  const found = pages(ask, asked, wanted);
  if (format === 'count') return printCount(found);
  if (format) return writeAnswer(found, format);
  await printTable(found, asked, { width, hasSparklines: !noSparklines });
}

const FORMATS = ['csv', 'json', 'ndjson', 'count'] as const;

function formatOf({ options }: Call): Format | 'count' | undefined {
  const given = FORMATS.filter((name) => options[name]);
  if (given.length > 1) throw new WrongUse(`--${given[0]} and --${given[1]} do not go together`);
  return given[0];
}

function widthIn({ options }: Call): number | undefined {
  if (options.width === undefined) return undefined;
  if (/^[1-9]\d{1,4}$/.test(String(options.width))) return Number(options.width);
  throw new WrongUse('--width must be a whole number from 10 to 99999');
}
