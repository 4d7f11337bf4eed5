import { TenorError } from './errors.ts';
import type { TenorResponse } from './response-meta.ts';

/**
 * The first page and those that follow it, each asked for when it is wanted. Ends only behind the
 * last page: a page that cannot be had is thrown.
 */
export async function* fetchPages<T>(
  first: URL,
  ask: (url: URL) => Promise<TenorResponse<readonly T[]>>,
): AsyncGenerator<TenorResponse<readonly T[]>, void, undefined> {
  const seen = new Set<string>();
  for (let url: URL | undefined = first; url; ) {
    seen.add(url.href);
    const page: TenorResponse<readonly T[]> = await ask(url);
    yield page;
    url = resolveNextPage(page, url, seen);
  }
}

/** The records of all pages, in order. To be gone through once or more: each time it asks anew. */
export class RecordStream<T> implements AsyncIterable<T> {
  readonly #pages: () => AsyncIterable<TenorResponse<readonly T[]>>;

  constructor(pages: () => AsyncIterable<TenorResponse<readonly T[]>>) {
    this.#pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.#pages()) yield* data;
  }

  /** All of them at once. */
  async toArray(): Promise<T[]> {
    const records: T[] = [];
    for await (const record of this) records.push(record);
    return records;
  }
}

function resolveNextPage<T>(
  { meta }: TenorResponse<readonly T[]>,
  url: URL,
  seen: ReadonlySet<string>,
): URL | undefined {
  if (meta.next === undefined) return undefined;
  const { origin, search } = new URL(meta.next);
  const { requestId } = meta;
  const refuse = (what: string) =>
    new TenorError('malformed', `the next page ${what}`, { url: url.href, requestId });
  // The token goes nowhere but to the address that it was given for.
  if (origin !== url.origin) throw refuse(`is at another address: ${origin}`);
  // The path stays: behind a proxy, the service may not know all of it.
  const next = new URL(url);
  next.search = search;
  if (seen.has(next.href)) throw refuse('is one that was there already');
  return next;
}
