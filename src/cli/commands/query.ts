import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import type { Command, CommandCall } from '../command.ts';
import { printLine, UsageError } from '../command.ts';
import type { FetchOptions } from '../query/fetch-pages.ts';
import { ApiResponseError, fetchPages } from '../query/fetch-pages.ts';
import { printTable } from '../query/print-table.ts';
import type { QueryTarget } from '../query/query-target.ts';
import { parseQueryTarget } from '../query/query-target.ts';
import { resolveAsOfInstant } from '../query/resolve-as-of.ts';
import type { SendRequest } from '../query/transport.ts';
import { withTransport } from '../query/transport.ts';
import type { OutputFormat } from '../query/write-response.ts';
import { printCount, writeResponse } from '../query/write-response.ts';

export const queryCommand: Command = {
  usage: 'query OPERATION [NAME=VALUE…] [--all] [--csv | --json | --ndjson | --count]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Print what an operation of the API answers, as a table',
  options: {
    'as-of': {
      placeholder: 'WHEN',
      help: 'As it stood: a revision, an instant, or the end of a day (UTC)',
    },
    all: { help: 'Every record that matches, beyond the limit of one answer' },
    count: { help: 'Only how many records match' },
    csv: { help: 'As CSV' },
    json: { help: 'As JSON: the body of the answer' },
    ndjson: { help: 'As JSON, a record on each line' },
    'no-sparklines': { help: 'Without the courses of series in time' },
    width: { placeholder: 'N', help: 'How wide the table may be (default: the terminal)' },
    url: { placeholder: 'URL', help: 'Ask a running server, not the database' },
    'token-file': { placeholder: 'FILE', help: 'The token for --url (default: API_TOKEN)' },
  },
  details: [
    'OPERATION is the name of a dataset, catalogue, securities, funds, revisions, revisions/N, or',
    'a path of the API. NAME=VALUE are its parameters:',
    '',
    '  tenor query quotes type=tbill limit=10',
    '  tenor query quotes symbol=ZZ12TB031226 from=2026-01-01 --all',
    '  tenor query "/2.0/bnb/quote?date=2026-06-30" --csv',
    '  tenor query branchless-banking-agents --as-of 2026-06-30',
  ].join('\n'),
  async run(call) {
    const format = parseOutputFormat(call);
    const width = parseWidth(call);
    const target = parseQueryTarget(call.positionals, call.options.all === true);
    await withTransport(call, (ask) => runQuery(call, ask, target, format, width)).catch(
      (cause) => {
        if (cause instanceof ApiResponseError && format === 'json') printLine(cause.body);
        throw cause;
      },
    );
  },
};

async function runQuery(
  call: CommandCall,
  ask: SendRequest,
  target: QueryTarget,
  format: OutputFormat | 'count' | undefined,
  width: number | undefined,
): Promise<void> {
  const { all, 'as-of': when, 'no-sparklines': noSparklines } = call.options;
  const asOf = await resolveAsOfInstant(ask, when);
  const options: FetchOptions = {
    accept: RESPONSE_FORMATS[format === 'count' || !format ? 'json' : format].mediaType,
    allPages: all === true || format === 'count',
    ...(asOf && { asOf }),
  };
  const found = fetchPages(ask, target, options);
  if (format === 'count') return printCount(found);
  if (format) return writeResponse(found, format);
  await printTable(found, target, { width, hasSparklines: !noSparklines });
}

const OUTPUT_FORMATS = ['csv', 'json', 'ndjson', 'count'] as const;

function parseOutputFormat({ options }: CommandCall): OutputFormat | 'count' | undefined {
  const given = OUTPUT_FORMATS.filter((name) => options[name]);
  if (given.length > 1) throw new UsageError(`--${given[0]} and --${given[1]} do not go together`);
  return given[0];
}

function parseWidth({ options }: CommandCall): number | undefined {
  if (options.width === undefined) return undefined;
  if (/^[1-9]\d{1,4}$/.test(String(options.width))) return Number(options.width);
  throw new UsageError('--width must be a whole number from 10 to 99999');
}
