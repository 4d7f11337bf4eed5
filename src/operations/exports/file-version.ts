import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { View } from '../../http/freshness/newest-revision.ts';
import { includeDeclaration, type StoreLookups } from '../../http/pipeline/database.ts';
import { parseHttpDate } from '../../http/pipeline/finalize-response.ts';
import { computeEtag, type LastChange, type Validators } from '../../http/responses/response.ts';

/** A complete dataset as of a view. */
export interface FileVersion {
  readonly dataset: Dataset;
  readonly view: Pick<View, 'revision' | 'namedBy' | 'mementoDatetime'>;
  /** The last change of the dataset up to the revision; undefined if there is none. */
  readonly lastChange: LastChange | undefined;
}

export async function getVersion(
  { findLastChange }: Pick<StoreLookups, 'findLastChange'>,
  dataset: Dataset,
  view: FileVersion['view'],
): Promise<FileVersion> {
  // An earlier version than the declaration gets the tag of that: no client has it.
  const change = await findLastChange(dataset.name, view.revision);
  return { dataset, view, lastChange: includeDeclaration(change, dataset) };
}

/**
 * The tag has the instant too: in another database the number is another revision. It has the fields
 * that were added as well, which are columns of all records from then on.
 */
export function getValidators({ dataset, lastChange }: FileVersion, format: string): Validators {
  const dependency = dataset.addedFields?.map(({ field }) => field).join();
  const tag = { suffix: `${lastChange?.revision ?? 0}-${format}`, dependency };
  if (!lastChange) return { etag: computeEtag(dataset.name, tag) };
  return {
    etag: computeEtag(`${dataset.name} ${lastChange.publishedAt}`, tag),
    modified: lastChange,
  };
}

/**
 * The version that a client has a part of, by its `If-Range`: the requested one, or an earlier one,
 * which can be created again. Undefined if the client needs the complete file.
 */
export async function resolveIfRangeVersion(
  lookups: Pick<StoreLookups, 'findLastChange'>,
  requested: FileVersion,
  format: string,
  ifRange: string,
): Promise<FileVersion | undefined> {
  const { dataset, view } = requested;
  const { etag, modified } = getValidators(requested, format);
  if (ifRange === etag) return requested;
  if (modified && !modified.isAmbiguous && parseHttpDate(ifRange) === modified.atMs)
    return requested;
  // NaN, which is less than nothing, if the tag is not one of an export.
  const revision = Number(/^"\w+-(\d+)-\w+"$/.exec(ifRange)?.[1]);
  // As of an instant or a revision, the version is fixed.
  if (view.namedBy !== 'nothing' || !(revision < view.revision)) return undefined;
  const earlier = await getVersion(lookups, dataset, { ...view, revision });
  return getValidators(earlier, format).etag === ifRange ? earlier : undefined;
}
