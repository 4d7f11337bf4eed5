import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { AsOf } from '../../catalogue/model/response-parameters.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import type { StoreLookups } from './store-lookups.ts';

/** The revision that a request is as of. */
export interface RequestedRevision {
  /** Undefined before the first one. */
  readonly revision: Revision | undefined;
  /** When the revision was published, or the requested instant before the first one. */
  readonly mementoDatetime: Date;
  /** Whether the request names it by number, so that its response never changes. */
  readonly isPinned: boolean;
}

/** The instant that `Accept-Datetime` names; undefined where it is absent. */
export function parseAcceptDatetime(header: string | null): AsOf | HttpError | undefined {
  if (header === null) return undefined;
  const instant = acceptDatetime.parse(header);
  return instant ? { instant, text: header } : INVALID_DATETIME_ERROR;
}

/** An error where there is no revision of that number. */
export async function resolveRequestedRevision(
  { reader, findRevision, findRevisionAt }: RevisionFinder,
  asOf: AsOf,
): Promise<RequestedRevision | HttpError> {
  if ('instant' in asOf) {
    const revision = await findRevisionAt(asOf.text, asOf.instant);
    const mementoDatetime = revision ? new Date(revision.publishedAt) : asOf.instant;
    return { revision, mementoDatetime, isPinned: false };
  }
  const revision = await findRevision(asOf.revision);
  if (!revision) return new HttpError('no_such_revision', { newest: `${await reader.revision()}` });
  return { revision, mementoDatetime: new Date(revision.publishedAt), isPinned: true };
}

interface RevisionFinder extends Pick<StoreLookups, 'findRevision' | 'findRevisionAt'> {
  readonly reader: Pick<StoreReader, 'revision'>;
}

/** The `Cache-Control` of a response that never changes. */
export const IMMUTABLE_CACHE_CONTROL = 'private, max-age=31536000, immutable';

/** The error of an `Accept-Datetime` that is no instant. */
const INVALID_DATETIME_ERROR = new HttpError('bad_header', {
  header: ACCEPT_DATETIME,
  allowed: acceptDatetime.requirement,
});
