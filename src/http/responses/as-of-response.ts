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
  service: ServerContext,
  question: CacheableRequest,
  header: string,
  make: (revision: number) => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const instant = acceptDatetime.read(header);
  if (!instant) return INVALID_DATETIME_RESPONSE;
  const answer = (stood: Revision | undefined) =>
    respondFromRevision(service, question, stood, instant, make);
  const stood = service.stoodAt(header, instant);
  return stood instanceof Promise ? stood.then(answer) : answer(stood);
}

function respondFromRevision(
  service: ServerContext,
  { target, key: present }: CacheableRequest,
  stood: Revision | undefined,
  instant: Date,
  make: (revision: number) => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const { memory, collect } = service;
  const revision = stood?.revision ?? 0;
  const key = `${present} ${revision}`;
  const known = stood && memory.get(key);
  if (known) return known;
  return make(revision).then(async (made) => {
    if (made.revision === null) return made;
    // A walk stays with the revision that it began with, which may be an earlier one.
    const of = made.revision === revision ? stood : await findRevision(service, made.revision);
    // Before the first revision, the answer names the instant that was asked for.
    const answer = withMemento(made, of ? new Date(of.publishedAt) : instant, target);
    if (stood) memory.keepPast(key, answer);
    collect(answer.body?.size ?? 0);
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
  createHttpError('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.rule }),
);
