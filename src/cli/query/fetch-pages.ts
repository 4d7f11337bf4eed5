import { TenorError } from '../../../clients/typescript/src/errors.ts';
import { fetchPages as fetchApiPages } from '../../../clients/typescript/src/fetch-pages.ts';
import { parseMeta, type ResponseMeta } from '../../../clients/typescript/src/response-meta.ts';
import { escapeControls } from '../../control-characters.ts';
import type { Revision } from '../../store/open-store.ts';
import type { AsOf } from '../arguments.ts';
import { CommandError } from '../command.ts';
import { formatCount } from '../format.ts';
import { printNote } from '../output.ts';
import type { QueryTarget } from './query-target.ts';
import type { ApiConnection } from './with-connection.ts';

/** A page of a response: its body as it was sent, and what its headers say. */
export interface ResponsePage {
  readonly text: string;
  readonly meta: ResponseMeta;
}

/** An error response of the API, with its body. */
export class ApiResponseError extends CommandError {
  constructor(
    message: string,
    readonly body: string,
  ) {
    super(escapeControls(message), true);
  }
}

/** The first page of a response, or all of them. Throws a `CommandError` for an error response. */
export async function* fetchPages(
  { connection, baseUrl }: ApiConnection,
  { path, query }: Pick<QueryTarget, 'path' | 'query'>,
  options: { mediaType: string; allPages: boolean; asOf: AsOf | undefined },
): AsyncGenerator<ResponsePage> {
  const { mediaType, allPages, asOf } = options;
  const instant = asOf && (await resolveInstant({ connection, baseUrl }, asOf));
  const asOfConnection = instant === undefined ? connection : connection.withInstant(instant);
  const firstUrl = new URL(`.${path}`, baseUrl);
  firstUrl.search = query;
  const revisions = new Set<number | undefined>();
  const counter = createChangeCounter(path, query);
  let target = '';
  const pages = fetchApiPages(firstUrl, async (url) => {
    target = `/${url.href.slice(baseUrl.href.length)}`;
    const response = await asOfConnection.open(url, mediaType, { count: true });
    const text = await response.text();
    // The two errors of funds have status 200.
    if (text.startsWith('{"status":"error"')) {
      throw toApiResponseError(String(JSON.parse(text).message), target);
    }
    const meta = parseMeta(url.href, response.headers, false);
    if (asOf) assertAsOf(meta, asOf, target);
    return { data: [text], meta };
  });
  try {
    for await (const { data, meta } of pages) {
      revisions.add(meta.revision);
      for (const text of data) {
        yield { text, meta };
        counter.count(text);
      }
      if (meta.next === undefined) counter.assertComplete();
      if (!allPages) return;
    }
  } catch (cause) {
    throw toCommandError(cause, target);
  }
  if (revisions.size < 2) return;
  const [first] = revisions;
  printNote(
    `a new revision was published between pages; use --as-of ${first} to read one revision`,
  );
}

/** Counts the changes of a revision, whose totals tell whether a server has sent all of them. */
function createChangeCounter(path: string, query: string) {
  // With a cursor, earlier changes are left out.
  const isCounted = /^\/revisions\/\d+$/.test(path) && !/(?:^|&)cursor=/.test(query);
  let total = 0;
  let count = 0;
  return {
    count(text: string) {
      if (!isCounted) return;
      const { data } = JSON.parse(text) as { data: Revision & { changes: readonly unknown[] } };
      total = data.added + data.corrected + data.retired;
      count += data.changes.length;
    },
    assertComplete() {
      if (count >= total) return;
      const shown = `${formatCount(count)} of ${formatCount(total)} changes`;
      throw new CommandError(`the server sent only ${shown}, and no link to the others`);
    },
  };
}

/** The instant of `--as-of`: that of a revision is in the ledger. */
async function resolveInstant({ connection, baseUrl }: ApiConnection, asOf: AsOf): Promise<string> {
  if ('instant' in asOf) return asOf.instant;
  const { revision } = asOf;
  if (revision === 0) return '1970-01-01T00:00:00Z';
  const target = `/revisions/${revision}?limit=1`;
  try {
    const { data } = await connection.read(new URL(`.${target}`, baseUrl), {});
    return (data as { publishedAt: string }).publishedAt;
  } catch (cause) {
    if (!(cause instanceof TenorError) || cause.kind !== 'not_found') {
      throw toCommandError(cause, target);
    }
    throw new CommandError(`there is no revision ${revision}`);
  }
}

function assertAsOf({ memento, revision }: ResponseMeta, asOf: AsOf, target: string): void {
  if (!memento) throw new CommandError(`${target} does not support --as-of`);
  if ('instant' in asOf || asOf.revision === revision) return;
  throw new CommandError(
    `revision ${revision} was published at the same instant as ${asOf.revision}`,
  );
}

function toCommandError(cause: unknown, target: string): unknown {
  if (!(cause instanceof TenorError)) return cause;
  const { kind, message, status } = cause;
  if (kind === 'network') return cause.cause;
  const isSent = message !== `HTTP status ${status}` && kind !== 'malformed';
  if (isSent && kind !== 'redirected') return toApiResponseError(message, target);
  return new CommandError(
    escapeControls(
      kind === 'malformed'
        ? `${target}: ${message}`
        : `${target} was answered with status ${status}`,
    ),
  );
}

/** A message that is a bare code says little without the request target. */
function toApiResponseError(message: string, target: string): ApiResponseError {
  const context = /\s/.test(message) ? '' : ` for ${target}`;
  return new ApiResponseError(`${message}${context}`, JSON.stringify({ status: 'error', message }));
}
