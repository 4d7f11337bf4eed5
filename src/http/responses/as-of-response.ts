import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { Revision } from '../../store/open-store.ts';
import { createHttpError } from '../http-error.ts';
import type { ServerContext } from '../server-context.ts';
import type { HttpResponse } from './response.ts';
import { errorResponse, withMemento } from './response.ts';

/** What is asked for: where, and the key that its answers are remembered by. */
export interface CacheableRequest {
  readonly target: string;
  readonly key: string;
}

/**
 * The answer as it stood at the instant that the header names, made from the revision that stood
 * then; before the first one, from revision 0.
 */
export function respondAsOf(
  context: ServerContext,
  question: CacheableRequest,
  header: string,
  make: (revision: number) => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const instant = acceptDatetime.parse(header);
  if (!instant) return INVALID_DATETIME_RESPONSE;
  const answer = (revision: Revision | undefined) =>
    respondFromRevision(context, question, revision, instant, make);
  const stood = context.findRevisionAt(header, instant);
  return stood instanceof Promise ? stood.then(answer) : answer(stood);
}

function respondFromRevision(
  context: ServerContext,
  { target, key: present }: CacheableRequest,
  stood: Revision | undefined,
  instant: Date,
  make: (revision: number) => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const { responseCache, reportAllocatedBytes } = context;
  const revision = stood?.revision ?? 0;
  const key = `${present} ${revision}`;
  const cached = stood && responseCache.get(key);
  if (cached) return cached;
  return make(revision).then(async (response) => {
    if (response.revision === null) return response;
    // A walk stays with the revision that it began with, which may be an earlier one.
    const of =
      response.revision === revision ? stood : await findRevision(context, response.revision);
    // Before the first revision, the answer names the instant that was asked for.
    const answer = withMemento(response, of ? new Date(of.publishedAt) : instant, target);
    if (stood) responseCache.setHistorical(key, answer);
    reportAllocatedBytes(answer.body?.size ?? 0);
    return answer;
  });
}

async function findRevision(
  { reader }: ServerContext,
  number: number,
): Promise<Revision | undefined> {
  const [revision] = await reader.revisions({ before: number + 1, limit: 1 });
  return revision;
}

/** The answer to a header that names no instant. */
export const INVALID_DATETIME_RESPONSE = errorResponse(
  createHttpError('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.requirement }),
);
