import { bufferResponse } from '../../client/buffer-response.ts';
import { TenorError } from '../../client/errors.ts';
import { fetchPages as fetchApiPages } from '../../client/fetch-pages.ts';
import { parseMeta, type ResponseMeta } from '../../client/response-meta.ts';
import { escapeControls } from '../../shared/control-characters.ts';
import type { Revision } from '../../store/open-store.ts';
import type { AsOfOption } from '../arguments.ts';
import { CommandError } from '../command.ts';
import { formatInteger } from '../format.ts';
import { printNote } from '../output.ts';
import type { ApiConnection } from '../with-connection.ts';
import type { QueryTarget } from './query-target.ts';

/** A page of a response: its body as it was sent, and what its headers say. */
export interface ResponsePage {
  readonly text: string;
  readonly meta: ResponseMeta;
}

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
  { path, query, parameterNames }: Pick<QueryTarget, 'path' | 'query' | 'parameterNames'>,
  options: { mediaType: string; allPages: boolean; asOf: AsOfOption | undefined },
): AsyncGenerator<ResponsePage> {
  const { mediaType, allPages, asOf } = options;
  if (asOf && parameterNames.length > 0 && !parameterNames.includes(AS_OF_PARAMETER))
    throw createUnsupportedError(path);
  const { instant, parameter = '' } = resolveAsOf(asOf);
  const asOfConnection = instant === undefined ? connection : connection.withInstant(instant);
  const firstUrl = new URL(`.${path}`, baseUrl);
  firstUrl.search = [query, parameter].filter((part) => part !== '').join('&');
  const revisions = new Set<number | undefined>();
  // With a cursor, earlier changes are left out.
  const isCounted = /^\/revisions\/\d+$/.test(path) && !/(?:^|&)cursor=/.test(query);
  let [target, changeCount] = ['', 0];
  const pages = fetchApiPages(firstUrl, async (url) => {
    target = `/${url.href.slice(baseUrl.href.length)}`;
    const response = await bufferResponse(() =>
      asOfConnection.open(url, mediaType, { count: true }),
    );
    const text = await response.text();
    // The two errors of funds have status 200.
    if (text.startsWith('{"status":"error"'))
      throw toApiResponseError(String(JSON.parse(text).message), target);
    const meta = parseMeta(url.href, response.headers, false);
    if (asOf && !meta.memento) throw createUnsupportedError(path);
    return { data: [text], meta };
  });
  try {
    for await (const { data, meta } of pages) {
      if (meta.successor !== undefined && revisions.size === 0)
        printNote(`${path} is deprecated; ${meta.successor} has taken its place`);
      revisions.add(meta.revision);
      const [text = ''] = data;
      yield { text, meta };
      if (isCounted) changeCount = countChanges(text, changeCount, meta.next === undefined);
      if (!allPages) return;
    }
  } catch (cause) {
    throw toCommandError(cause, target);
  }
  const [first, ...others] = revisions;
  if (others.length > 0)
    printNote(
      `a new revision was published between pages; use --as-of ${first} to read one revision`,
    );
}

/** The changes of a revision up to this page. Throws if a server has not sent all with the last one. */
function countChanges(text: string, earlierCount: number, isLast: boolean): number {
  const { data } = JSON.parse(text) as { data: Revision & { changes: readonly unknown[] } };
  const total = data.added + data.corrected + data.retired;
  const count = earlierCount + data.changes.length;
  if (!isLast || count >= total) return count;
  const shown = `${formatInteger(count)} of ${formatInteger(total)} changes`;
  throw new CommandError(`the server sent only ${shown}, and no link to the others`);
}

const AS_OF_PARAMETER = 'as_of';

/** Turns `--as-of` into a request: several revisions may have one instant, so one is named by number. */
function resolveAsOf(asOf: AsOfOption | undefined): { instant?: string; parameter?: string } {
  if (!asOf || 'instant' in asOf) return asOf ?? {};
  return asOf.revision === 0
    ? { instant: '1970-01-01T00:00:00Z' }
    : { parameter: `${AS_OF_PARAMETER}=${asOf.revision}` };
}

function createUnsupportedError(path: string): CommandError {
  return new CommandError(`${path} does not support --as-of`);
}

function toCommandError(cause: unknown, target: string): unknown {
  if (!(cause instanceof TenorError)) return cause;
  const { kind, message, status } = cause;
  if (kind === 'network' && cause.cause instanceof CommandError) return cause.cause;
  const isSent = message !== `HTTP status ${status}` && kind !== 'malformed';
  if (isSent && kind !== 'redirected') return toApiResponseError(message, target);
  const problem = kind === 'malformed' ? `: ${message}` : ` was answered with status ${status}`;
  return new CommandError(escapeControls(target + problem));
}

/** A message that is a bare code says little without the request target. */
function toApiResponseError(message: string, target: string): ApiResponseError {
  const context = /\s/.test(message) ? '' : ` for ${target}`;
  return new ApiResponseError(`${message}${context}`, JSON.stringify({ status: 'error', message }));
}
