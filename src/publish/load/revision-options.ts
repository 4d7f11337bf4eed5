import { basename } from 'node:path';
import type { RevisionOptions, SourceFile } from '../../store/open-store.ts';
import type { Mapping } from '../mapping/mapping.ts';

export interface StoredLoadOptions {
  readonly mapping: Mapping;
  /** Whether the files are the complete dataset, so that all other records are retired. */
  readonly replace?: boolean;
  readonly isStrict?: boolean;
  /** Whether records may replace those with a label of another kind: FY24 for 2024. */
  readonly canRelabel?: boolean;
  /** Whether records may be dated in the future. */
  readonly allowsFuture?: boolean;
  readonly canRetireMany?: boolean;
  readonly canCorrectMany?: boolean;
  /** Whether the newest period may lack many series. */
  readonly isPartial?: boolean;
  /** Whether files may have no records. */
  readonly allowsEmpty?: boolean;
  /** The licence of the data: an identifier or a URL. */
  readonly licence?: string | undefined;
}

/** Describes a load for storage: its mapping, and the options that differ from the default. */
export function buildRevisionOptions(
  load: StoredLoadOptions,
  adapter?: SourceFile,
): RevisionOptions {
  const { lookup, mute: muted, refuse: refused, ...mappingOptions } = load.mapping;
  // Clients can read the stored options, so they must not reveal the publisher's directories.
  const storedLookup = lookup && { ...lookup, file: basename(lookup.file) };
  const mapping = omitEmpty({ ...mappingOptions, lookup: storedLookup });
  const options = omitEmpty({
    replace: load.replace,
    relabel: load.canRelabel,
    strict: load.isStrict,
    future: load.allowsFuture && 'allow',
    'allow-empty': load.allowsEmpty,
    'retire-many': load.canRetireMany,
    'correct-many': load.canCorrectMany,
    partial: load.isPartial,
    licence: load.licence,
  });
  const storedAdapter = adapter && { name: adapter.name, sha256: adapter.sha256 };
  return omitEmpty({ mapping, options, adapter: storedAdapter, muted, refused });
}

/** The object without empty members: undefined, false, and empty objects and lists. */
function omitEmpty(object: object): Readonly<Record<string, unknown>> {
  const isTelling = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : value !== undefined && value !== false;
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isTelling(value)));
}
