import { createMessage } from '../support/mcp-client.ts';
import { type DatasetName, getDataset, type Model, QUOTE_SYMBOLS, series } from './model.ts';
import type { Random } from './random.ts';

/** A request for data, and how its response follows from the model of a revision. */
export interface Query {
  readonly target: string;
  /** The scope that it needs; undefined where the response depends on the scopes instead. */
  readonly scope: string | undefined;
  /** What the body must be. */
  expect(model: Model, scopes: readonly string[]): string;
  readonly takesNoAsOf?: true;
  /** The message of a POST. */
  readonly message?: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  /** The revision, where the response has it in its body. */
  readonly readRevision?: (body: string) => number | undefined;
  /** A part of the body that is compared, where that is not all of it. */
  readonly select?: (body: string) => string;
  /** The records that all pages together have, where the response is a page of them. */
  readonly listAll?: (model: Model) => readonly string[];
}

export type QueryName = keyof typeof QUERIES;

export const ALL_SCOPES = ['quotes', 'funds', 'alternate'] as const;
const envelope = (records: readonly string[]) => `{"status":"ok","data":[${records.join(',')}]}`;

export const QUERIES = {
  day: () => ({
    target: '/2.0/bnb/quote',
    scope: 'quotes',
    expect: (model: Model) => envelope(model.listNewestDay()),
  }),
  symbol: (random: Random) => {
    const symbol = random.pick(QUOTE_SYMBOLS);
    return {
      target: `/2.0/bnb/quotes?symbol=${symbol}`,
      scope: 'quotes',
      expect: (model: Model) => envelope(model.findNewest(symbol)),
    };
  },
  series: () => ({
    target: series.paths[0] ?? '',
    scope: 'alternate',
    expect: (model: Model) => envelope(model.list('series')),
  }),
  range: (random: Random) => {
    const limit = random.integer(2, 6);
    return {
      target: `/2.0/bnb/quote?from=2026-01-01&limit=${limit}`,
      scope: 'quotes',
      expect: (model: Model) => envelope(model.list('quotes').slice(0, limit)),
      listAll: (model: Model) => model.list('quotes'),
    };
  },
  // So many that the background thread reads them.
  all: () => ({
    target: '/2.0/bnb/quote?from=2026-01-01&limit=500',
    scope: 'quotes',
    expect: (model: Model) => envelope(model.list('quotes')),
    listAll: (model: Model) => model.list('quotes'),
  }),
  export: (random: Random) => {
    const dataset: DatasetName = random.pick(['quotes', 'series']);
    return {
      target: `/exports/${getDataset(dataset).name}.ndjson`,
      scope: getDataset(dataset).scope,
      expect: (model: Model) => model.formatExport(dataset),
    };
  },
  revisions: () => ({
    target: '/revisions?limit=1000',
    scope: undefined,
    takesNoAsOf: true as const,
    select: (body: string) =>
      (JSON.parse(body) as { data: { revision: number }[] }).data
        .map(({ revision }) => revision)
        .join(),
    expect: (model: Model, scopes: readonly string[]) =>
      model.ledger
        .map(({ dataset }, index) => ({ scope: getDataset(dataset).scope, revision: index + 1 }))
        .filter(({ scope }) => scopes.includes(scope))
        .map(({ revision }) => revision)
        .toReversed()
        .join(),
  }),
} satisfies Record<string, (random: Random) => Query>;

/** The newest quotes, as a tool for language models gives them. */
export function createToolQuery(): Query {
  const { body, headers } = createMessage('tools/call', { name: 'get_quotes', arguments: {} });
  const readResult = (text: string) =>
    (JSON.parse(text) as { result?: { structuredContent?: ToolContent } }).result
      ?.structuredContent;
  return {
    target: '/mcp',
    scope: 'quotes',
    takesNoAsOf: true,
    message: {
      body: JSON.stringify(body),
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    },
    readRevision: (text) => readResult(text)?.revision,
    select: (text) => JSON.stringify(readResult(text)?.data),
    expect: (model) => `[${model.listNewestDay().join(',')}]`,
  };
}

interface ToolContent {
  readonly revision: number;
  readonly data: readonly unknown[];
}

/** The newest quotes, by a link. */
export function createLinkQuery(secret: string): Query {
  return { ...QUERIES.day(), target: `/links/${secret}`, scope: undefined, takesNoAsOf: true };
}

export const QUERY_NAMES = Object.keys(QUERIES) as QueryName[];
