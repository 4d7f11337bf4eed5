import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { computeEtag } from '../responses/etag.ts';
import type { FindLastChange, LastChange } from '../responses/last-change.ts';
import type { Validators } from '../responses/preconditions.ts';
import { parseHttpDate } from '../responses/preconditions.ts';
import type { ServerContext } from '../server-context.ts';

/** A whole dataset as it stands at a revision. */
export interface FileVersion {
  readonly dataset: Dataset;
  /** The revision that is asked for. */
  readonly revision: number;
  /** The last one up to then that changed the dataset; undefined where none did. */
  readonly lastChange: LastChange | undefined;
  /** Where an instant of the past is asked for: that of the revision, or itself before the first. */
  readonly mementoDatetime?: Date;
}

/** The version that a request asks for; undefined where its instant is none. */
export async function resolveRequestedVersion(
  { reader, findRevisionAt, findLastChange }: ServerContext,
  dataset: Dataset,
  headers: Headers,
): Promise<FileVersion | undefined> {
  const header = headers.get(ACCEPT_DATETIME);
  if (header === null) return getVersionAt(findLastChange, dataset, await reader.revision());
  const instant = acceptDatetime.parse(header);
  if (!instant) return undefined;
  const revision = await findRevisionAt(header, instant);
  const version = await getVersionAt(findLastChange, dataset, revision?.revision ?? 0);
  return { ...version, mementoDatetime: revision ? new Date(revision.publishedAt) : instant };
}

/**
 * What tells the version's file in a format from all others: which revision made it, and when,
 * because the same number is another revision in another database.
 */
export function getValidators({ dataset, lastChange }: FileVersion, format: string): Validators {
  const way = `${lastChange?.revision ?? 0}-${format}`;
  if (!lastChange) return { etag: computeEtag(dataset.name, way) };
  return {
    etag: computeEtag(`${dataset.name} ${lastChange.publishedAt}`, way),
    modified: lastChange,
  };
}

/** The revision that a tag names; NaN where it names none. */
function parseRevisionFromEtag(etag: string): number {
  return Number(/^"\w+-(\d+)-\w+"$/.exec(etag)?.[1]);
}

/**
 * The version that a client has a part of, by its `If-Range`. A tag may also name one that was
 * replaced since: its bytes can be made again. Undefined where the part is of no use any more.
 */
export async function resolveIfRangeVersion(
  changed: FindLastChange,
  asked: FileVersion,
  format: string,
  ifRange: string,
): Promise<FileVersion | undefined> {
  const { etag, modified } = getValidators(asked, format);
  if (ifRange === etag) return asked;
  const isDate = modified && !modified.isAmbiguous && parseHttpDate(ifRange) === modified.atMs;
  if (isDate) return asked;
  const revision = parseRevisionFromEtag(ifRange);
  // Whoever names an instant gets what stood then, or a part of that.
  if (asked.mementoDatetime || !(revision < asked.revision)) return undefined;
  const held = await getVersionAt(changed, asked.dataset, revision);
  return getValidators(held, format).etag === ifRange ? held : undefined;
}

async function getVersionAt(
  changed: FindLastChange,
  dataset: Dataset,
  revision: number,
): Promise<FileVersion> {
  return { dataset, revision, lastChange: await changed(dataset.name, revision) };
}
