import { TenorError } from './errors.ts';
import type { ResponseMeta, TenorResponse } from './response-meta.ts';

/**
 * The first page and those that follow it, each requested when it is needed. Throws if a page
 * cannot be read, so that the last one is never missed.
 */
export async function* fetchPages<Page extends { readonly meta: ResponseMeta }>(
  first: URL,
  readPage: (url: URL) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  for (let url: URL | undefined = first; url; ) {
    seen.add(url.href);
    const page: Page = await readPage(url);
    yield page;
    url = resolveNextPage(page.meta, url, seen);
  }
}

type Page<T> = Pick<TenorResponse<readonly T[]>, 'data'>;

/** The records of all pages, in order. Each iteration requests the pages again. */
export class RecordStream<T> implements AsyncIterable<T> {
  readonly #pages: () => AsyncIterable<Page<T>>;

  constructor(pages: () => AsyncIterable<Page<T>>) {
    this.#pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.#pages()) yield* data;
  }

  /** All records at once. */
  async toArray(): Promise<T[]> {
    const records: T[] = [];
    for await (const record of this) records.push(record);
    return records;
  }
}

function resolveNextPage(
  { next: nextPage, requestId }: ResponseMeta,
  url: URL,
  seen: ReadonlySet<string>,
): URL | undefined {
  if (nextPage === undefined) return undefined;
  const { origin, search } = new URL(nextPage);
  const createError = (reason: string) =>
    new TenorError('malformed', `the next page ${reason}`, { url: url.href, requestId });
  // The token must not be sent to another host.
  if (origin !== url.origin) throw createError(`is on another host: ${origin}`);
  // The path is kept, because a proxy may have removed a prefix of it.
  const next = new URL(url);
  next.search = search;
  if (seen.has(next.href)) throw createError('was read already');
  return next;
}
