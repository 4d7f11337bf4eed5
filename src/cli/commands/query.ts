import { Catalogue, NONE_DECLARED } from '../../catalogue/catalogues.ts';
import { datasets, toDeclaration } from '../../catalogue/datasets/datasets.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { AS_OF_OPTION, DATASETS_HELP, parseAsOf, parseNumberOption } from '../arguments.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { formatSuggestion } from '../format-suggestion.ts';
import { printLine } from '../output.ts';
import { ApiResponseError, fetchPages } from '../query/fetch-pages.ts';
import { printTable } from '../query/print-table.ts';
import { listOperationNames, parseQueryTarget, type QueryTarget } from '../query/query-target.ts';
import { OUTPUT_FORMATS, printCount, writeResponse } from '../query/write-response.ts';
import { type ApiConnection, TOKEN_FILE_OPTION, withConnection } from '../with-connection.ts';

const OPERATIONS_HELP = listOperationNames()
  .filter((name) => shippedDatasets.every((dataset) => dataset.name !== name))
  .join(', ');

export const queryCommand: Command = {
  usage: 'query OPERATION [NAME=VALUE…] [--all] [--csv | --json | --ndjson | --count]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Query the API and print the result as a table',
  options: {
    'as-of': AS_OF_OPTION,
    all: { help: 'Fetch all pages' },
    count: { help: 'Print only the number of matching records' },
    ...OUTPUT_FORMATS,
    width: {
      placeholder: 'N',
      help: 'Maximum width of the table (default: the width of the terminal)',
    },
    url: {
      placeholder: 'URL',
      help: 'Query a running server instead of the database (or: TENOR_URL)',
    },
    'token-file': TOKEN_FILE_OPTION,
  },
  details: [
    `OPERATION is the name of a dataset, ${OPERATIONS_HELP},`,
    'or a path of the API. NAME=VALUE are its parameters:',
    '',
    '  tenor query quotes type=tbill limit=10',
    '  tenor query quotes symbol=ZZ12TB031226 from=2026-01-01 --all',
    '  tenor query "/2.0/bnb/quote?date=2026-06-30" --csv',
    '  tenor query branchless-banking-agents --as-of 2026-06-30',
    '  tenor query corrections/quotes limit=5',
    '',
    DATASETS_HELP,
  ].join('\n'),
  async run(call) {
    const shipped = parseTarget(call);
    const known = shipped instanceof UsageError || !shipped.isKnown ? undefined : shipped;
    if (known) planRequest(call, known);
    await withConnection(call, async (api) => {
      const target = known ?? parseTarget(call, await fetchCatalogue(api, call));
      if (target instanceof UsageError) throw target;
      await printResponse(call, api, target);
    });
  },
};

const parseTarget = ({ positionals, options }: CommandCall, catalogue?: Catalogue) =>
  parseQueryTarget(positionals, options.all === true, catalogue);

/** Throws if options exclude each other. */
function planRequest(call: CommandCall, target: QueryTarget) {
  const width = parseNumberOption(call, 'width', 10, 99_999);
  const format = parseOutputFormat(call, target);
  const asOf = parseAsOf(call);
  if (asOf && /(?:^|&)as_of=/.test(target.query))
    throw new UsageError('--as-of and as_of=VALUE cannot be combined');
  const tableFormat = target.isTabular ? 'ndjson' : 'json';
  const { mediaType } = RESPONSE_FORMATS[format === 'count' ? 'json' : (format ?? tableFormat)];
  const allPages = call.options.all === true || format === 'count';
  return { width, format, request: { mediaType, allPages, asOf } };
}

async function printResponse(call: CommandCall, api: ApiConnection, target: QueryTarget) {
  const { width, format, request } = planRequest(call, target);
  try {
    const pages = fetchPages(api, target, request);
    if (format === 'count') await printCount(pages);
    else if (format) await writeResponse(pages, format);
    else await printTable(pages, target, width);
  } catch (cause) {
    if (!(cause instanceof ApiResponseError)) throw cause;
    if (format === 'json') printLine(cause.body);
    throw suggestParameter(cause, target);
  }
}

/** Suggests the parameter or option that may have been meant if the API rejects a parameter. */
function suggestParameter(error: ApiResponseError, { parameterNames }: QueryTarget): Error {
  const { message, body } = error;
  const [, unknown] = /^unknown parameter "([^"]*)"/.exec(message) ?? [];
  const suggestion = unknown === undefined ? '' : formatSuggestion(unknown, parameterNames);
  return suggestion ? new ApiResponseError(`${message}${suggestion}`, body) : error;
}

const OUTPUTS = [
  ...(Object.keys(OUTPUT_FORMATS) as (keyof typeof OUTPUT_FORMATS)[]),
  'count',
] as const;

/** Reads the format from an option or from the parameter `format`. */
function parseOutputFormat({ options }: CommandCall, target: QueryTarget) {
  const [option, other] = OUTPUTS.filter((name) => options[name]);
  if (other) throw new UsageError(`--${option} and --${other} cannot be combined`);
  const format = target.format ?? option;
  if (option && option !== format)
    throw new UsageError(`--${option} and format=${format} cannot be combined`);
  const printed = OUTPUTS.find((name) => name === format);
  if (printed || format === undefined) return printed;
  throw new UsageError(`format=${format} cannot be printed; use --csv, --json or --ndjson`);
}

/** The datasets of the database or server that is queried, as of the revision of the query. */
async function fetchCatalogue(api: ApiConnection, call: CommandCall): Promise<Catalogue> {
  const [, query = ''] = /(?:^|[?&])(as_of=[^&]*)/.exec(call.positionals.join('&')) ?? [];
  const target = { path: `/exports/${datasets.name}.ndjson`, query, parameterNames: [] };
  const { mediaType } = RESPONSE_FORMATS.ndjson;
  const pages = fetchPages(api, target, { mediaType, allPages: false, asOf: parseAsOf(call) });
  const lines: string[] = [];
  for await (const { text } of pages) lines.push(...text.split('\n').slice(0, -1));
  const declarations = lines.map((line) => ({
    declaration: toDeclaration(JSON.parse(line)),
    revision: 0,
    publishedAt: '',
    addedMeasures: [],
  }));
  return new Catalogue(shippedDatasets, { ...NONE_DECLARED, declarations });
}
