import { RecordStream } from '../../../src/client/fetch-pages.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import { compareBytes } from './compare-bytes.ts';
import type { PagedOperation } from './paged-operation.ts';

interface SymbolParameters {
  readonly symbol?: string | readonly string[] | undefined;
  readonly sort?: 'asc' | 'desc' | undefined;
  readonly cursor?: string | undefined;
}

interface QuoteKey {
  readonly date: string;
  readonly symbol: string;
}

/** The maximum number of symbols in one request. */
const MAX_SYMBOLS = 50;

/**
 * The operation, whose `all` takes any number of symbols: more than 50 are read by several requests
 * from the revision of the first one, and merged in the order of the service.
 */
export function withSymbolBatches<T extends QuoteKey, P extends SymbolParameters>(
  operation: PagedOperation<T, P>,
  selectRevision: (revision: number) => PagedOperation<T, P>,
): PagedOperation<T, P> {
  async function* mergeBatches(batches: readonly string[][], parameters: P, options?: CallOptions) {
    const [symbol] = batches;
    const first = await operation({ ...parameters, symbol, limit: 1 } as P, options);
    const { revision } = first.meta;
    const source = revision === undefined ? operation : selectRevision(revision);
    const streams = batches.map((batch) =>
      source.all({ ...parameters, symbol: batch } as P, options)[Symbol.asyncIterator](),
    );
    const direction = parameters.sort === 'asc' ? -1 : 1;
    for await (const record of mergeStreams(streams, direction)) {
      yield { data: [record], meta: first.meta };
    }
  }
  return Object.assign(operation.bind(undefined), {
    pages: operation.pages,
    all(parameters?: P, options?: CallOptions): RecordStream<T> {
      const batches = splitSymbols(parameters?.symbol);
      const [symbol = parameters?.symbol, ...others] = batches;
      if (!parameters || others.length === 0) {
        return operation.all(parameters && { ...parameters, symbol }, options);
      }
      if (parameters.cursor !== undefined) {
        throw new TypeError(`cursor is for up to ${MAX_SYMBOLS} symbols`);
      }
      return new RecordStream(() => mergeBatches(batches, parameters, options));
    },
  });
}

function splitSymbols(symbol: string | readonly string[] | undefined): string[][] {
  // A cursor is valid for the symbols as they were given.
  if (!Array.isArray(symbol) || symbol.length <= MAX_SYMBOLS) return [];
  const symbols = [...new Set(symbol as readonly string[])];
  const batchCount = Math.ceil(symbols.length / MAX_SYMBOLS);
  return Array.from({ length: batchCount }, (_, index) =>
    symbols.slice(index * MAX_SYMBOLS, (index + 1) * MAX_SYMBOLS),
  );
}

/** Merges sorted streams. A security that is named by its symbol and by its ISIN comes once. */
async function* mergeStreams<T extends QuoteKey>(
  streams: readonly AsyncIterator<T>[],
  direction: 1 | -1,
): AsyncGenerator<T> {
  const heads: IteratorResult<T>[] = [];
  for (const stream of streams) heads.push(await stream.next());
  for (;;) {
    let first: T | undefined;
    for (const { done, value } of heads) {
      if (!done && (!first || direction * compareQuotes(value, first) < 0)) first = value;
    }
    if (!first) return;
    yield first;
    for (const [index, { done, value }] of heads.entries()) {
      const stream = streams[index];
      if (!done && stream && compareQuotes(value, first) === 0) heads[index] = await stream.next();
    }
  }
}

/** Newest date first, then by symbol. */
export function compareQuotes(a: QuoteKey, b: QuoteKey): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1;
  return compareBytes(a.symbol, b.symbol);
}
