import { TenorError } from '../../../src/client/errors.ts';
import { fetchPages, RecordStream } from '../../../src/client/fetch-pages.ts';
import type { RevisionParameters, RevisionRecord } from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';

/** A record before and after a revision. */
export type RevisionChange = RevisionRecord['changes'][number];

/** One revision with its changes, which come in pages. */
export interface RevisionOperation {
  /**
   * The revision with at most `limit` of its changes, 100 by default; `meta.hasMore` tells whether
   * it has more.
   */
  (
    n: number,
    parameters?: RevisionParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<RevisionRecord>>;
  /** The revision again and again, each time with the next changes, at most `limit`. */
  pages(
    n: number,
    parameters?: RevisionParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<RevisionRecord>, void, undefined>;
  /** Every change of the revision, from all pages; `limit` is the size of a page. */
  all(
    n: number,
    parameters?: RevisionParameters,
    options?: CallOptions,
  ): RecordStream<RevisionChange>;
}

interface RevisionSource {
  url(n: number, parameters: RevisionParameters | undefined): URL;
  read(url: URL, options: CallOptions): Promise<TenorResponse<unknown>>;
  /** The default parameters of `pages` and `all`. */
  readonly allPagesDefaults: RevisionParameters;
}

export function createRevisionOperation({
  url,
  read,
  allPagesDefaults,
}: RevisionSource): RevisionOperation {
  async function readPage(pageUrl: URL, options: CallOptions = {}) {
    const { data, meta } = await read(pageUrl, options);
    if (Array.isArray((data as RevisionRecord | null)?.changes)) {
      return { data: data as RevisionRecord, meta };
    }
    const details = { url: pageUrl.href, requestId: meta.requestId };
    throw new TenorError('malformed', 'the response is not a revision', details);
  }
  async function* pages(n: number, parameters?: RevisionParameters, options?: CallOptions) {
    const first = url(n, { ...allPagesDefaults, ...parameters });
    let changeCount = 0;
    for await (const page of fetchPages(first, (pageUrl) => readPage(pageUrl, options))) {
      changeCount += page.data.changes.length;
      // With a cursor, earlier changes were read before.
      if (!page.meta.hasMore && parameters?.cursor === undefined) {
        assertComplete(page, changeCount, first);
      }
      yield page;
    }
  }
  async function* changeLists(...args: Parameters<typeof pages>) {
    for await (const { data, meta } of pages(...args)) yield { data: data.changes, meta };
  }
  return Object.assign(
    async (n: number, parameters?: RevisionParameters, options?: CallOptions) =>
      readPage(url(n, parameters), options),
    {
      pages,
      all: (...args: Parameters<typeof pages>) => new RecordStream(() => changeLists(...args)),
    },
  );
}

/** The counts of a revision are of all its changes: a service that cuts them must link the rest. */
function assertComplete(
  { data, meta }: TenorResponse<RevisionRecord>,
  changeCount: number,
  { href: url }: URL,
): void {
  const total = data.added + data.corrected + data.retired;
  if (changeCount >= total) return;
  const message = `only ${changeCount} of ${total} changes were sent`;
  throw new TenorError('malformed', message, { url, requestId: meta.requestId });
}
