import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { computeEtag } from '../responses/etag.ts';
import { parseHttpDate, type Validators } from '../responses/preconditions.ts';
import type { LastChange, StoreLookups } from '../responses/store-lookups.ts';
import type { ServerContext } from '../server-context.ts';

/** A complete dataset as of a revision. */
export interface FileVersion {
  readonly dataset: Dataset;
  readonly revision: number;
  /** The last change of the dataset up to the revision; undefined where there is none. */
  readonly lastChange: LastChange | undefined;
  /** With `Accept-Datetime`: when the revision was published, or the instant before the first. */
  readonly mementoDatetime?: Date;
}

/** The version that a request is for; undefined where its `Accept-Datetime` is invalid. */
export async function resolveRequestedVersion(
  { reader, findRevisionAt, findLastChange }: ServerContext,
  dataset: Dataset,
  headers: Headers,
): Promise<FileVersion | undefined> {
  const header = headers.get(ACCEPT_DATETIME);
  if (header === null) return getVersion(findLastChange, dataset, await reader.revision());
  const instant = acceptDatetime.parse(header);
  if (!instant) return undefined;
  const revision = await findRevisionAt(header, instant);
  const version = await getVersion(findLastChange, dataset, revision?.revision ?? 0);
  return { ...version, mementoDatetime: revision ? new Date(revision.publishedAt) : instant };
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
  // With Accept-Datetime the version is fixed.
  if (requested.mementoDatetime || !(revision < requested.revision)) return undefined;
  const earlier = await getVersion(findLastChange, requested.dataset, revision);
  return getValidators(earlier, format).etag === ifRange ? earlier : undefined;
}

async function getVersion(
  findLastChange: StoreLookups['findLastChange'],
  dataset: Dataset,
  revision: number,
): Promise<FileVersion> {
  return { dataset, revision, lastChange: await findLastChange(dataset.name, revision) };
}
