import type {
  CatalogueRecord,
  CorrectionsRecord,
  RevisionsRecord,
} from '../../client/generated.ts';

export type RevisionEntry = RevisionsRecord;

export interface DatasetEntry extends Omit<CatalogueRecord, 'fields'> {
  readonly fields: readonly FieldInfo[];
}

export interface FieldInfo extends Omit<CatalogueRecord['fields'][number], 'type' | 'fields'> {
  readonly fields: readonly FieldInfo[] | null;
}

/** A record of `/corrections/{dataset}`, with the records of that dataset. */
export interface CorrectionEntry<T = JsonRecord> extends Omit<CorrectionsRecord, 'old' | 'new'> {
  readonly old: T;
  readonly new: T | null;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number | undefined>>;
  /** Whether to fetch every page, not only the first. */
  readonly allPages?: boolean;
}

export function listDatasetOptions(entries: readonly DatasetEntry[]) {
  return entries.map(({ name, title }) => ({ key: name, text: title }));
}

/** The title of a dataset; its name if the token has no access to it. */
export function getDatasetTitle(catalogue: readonly DatasetEntry[], dataset: string): string {
  return catalogue.find(({ name }) => name === dataset)?.title ?? dataset;
}
