import { ACCEPT_DATETIME } from '../../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { AsOf } from '../../../catalogue/model/response-parameters.ts';
import { LEDGER } from '../../../check/check-ledger.ts';
import { HttpError } from '../../http-error.ts';
import type { DataContext } from '../../pipeline/route.ts';
import { computeEtag } from '../../responses/etag.ts';
import { parseHttpDate, type Validators } from '../../responses/preconditions.ts';
import {
  parseAcceptDatetime,
  resolveRequestedRevision,
} from '../../responses/requested-revision.ts';
import {
  includeDeclaration,
  type LastChange,
  type StoreLookups,
} from '../../responses/store-lookups.ts';
import { DAMAGED_ERROR } from '../../scrub/known-damage.ts';

/** A complete dataset as of a revision. */
export interface FileVersion {
  readonly dataset: Dataset;
  readonly revision: number;
  /** The last change of the dataset up to the revision; undefined where there is none. */
  readonly lastChange: LastChange | undefined;
  /** As of an instant or a revision: when that was published, or the instant before the first. */
  readonly mementoDatetime?: Date;
  /** Whether the request names the revision, so that the file never changes. */
  readonly isPinned?: boolean;
}

/** The version that a request is for; an error where what it is as of is invalid. */
export async function resolveRequestedVersion(
  data: DataContext,
  dataset: Dataset,
  headers: Headers,
  asOf: AsOf | HttpError | undefined = parseAcceptDatetime(headers.get(ACCEPT_DATETIME)),
): Promise<FileVersion | HttpError> {
  const { reader, findLastChange } = data;
  if (asOf === undefined) return getVersion(findLastChange, dataset, await reader.revision());
  if (data.damage.covers([LEDGER])) return DAMAGED_ERROR;
  const requested = asOf instanceof HttpError ? asOf : await resolveRequestedRevision(data, asOf);
  if (requested instanceof HttpError) return requested;
  const { revision, mementoDatetime, isPinned } = requested;
  const version = await getVersion(findLastChange, dataset, revision?.revision ?? 0);
  return { ...version, mementoDatetime, isPinned };
}

/** The tag has the instant too: in another database the number is another revision. */
export function getValidators({ dataset, lastChange }: FileVersion, format: string): Validators {
  const suffix = `${lastChange?.revision ?? 0}-${format}`;
  if (!lastChange) return { etag: computeEtag(dataset.name, { suffix }) };
  return {
    etag: computeEtag(`${dataset.name} ${lastChange.publishedAt}`, { suffix }),
    modified: lastChange,
  };
}

/**
 * The version that a client has a part of, by its `If-Range`: the requested one, or an earlier one,
 * which can be created again. Undefined where the client needs the complete file.
 */
export async function resolveIfRangeVersion(
  findLastChange: StoreLookups['findLastChange'],
  requested: FileVersion,
  format: string,
  ifRange: string,
): Promise<FileVersion | undefined> {
  const { etag, modified } = getValidators(requested, format);
  if (ifRange === etag) return requested;
  if (modified && !modified.isAmbiguous && parseHttpDate(ifRange) === modified.atMs)
    return requested;
  // NaN, which is less than nothing, where the tag is not one of an export.
  const revision = Number(/^"\w+-(\d+)-\w+"$/.exec(ifRange)?.[1]);
  // As of an instant or a revision, the version is fixed.
  if (requested.mementoDatetime || !(revision < requested.revision)) return undefined;
  const earlier = await getVersion(findLastChange, requested.dataset, revision);
  return getValidators(earlier, format).etag === ifRange ? earlier : undefined;
}

async function getVersion(
  findLastChange: StoreLookups['findLastChange'],
  dataset: Dataset,
  revision: number,
): Promise<FileVersion> {
  // An earlier version than the declaration gets the tag of that: no client has it.
  const change = await findLastChange(dataset.name, revision);
  return { dataset, revision, lastChange: includeDeclaration(change, dataset) };
}
