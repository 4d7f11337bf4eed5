import type { Chart } from '../../catalogue/model/chart.ts';
import type { ConsistencyCheck } from '../../catalogue/model/consistency-check.ts';

/** A dataset as `/catalogue` tells of it: what the page uses of that. */
export interface DatasetEntry {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly notes: readonly string[];
  readonly path: string;
  readonly shape: 'quotes' | 'fund' | 'series';
  readonly period: { readonly field: string; readonly kind: PeriodName } | null;
  readonly parameters: readonly { readonly name: string; readonly schema: { enum?: string[] } }[];
  readonly fields: readonly FieldInfo[];
  readonly chart: Chart;
  readonly checks: readonly ConsistencyCheck[];
  readonly exports: readonly { readonly format: string; readonly path: string }[];
  readonly coverage: { first: string | null; last: string | null; count: number };
  readonly lastRevision: LastRevisionInfo | null;
}

export type PeriodName = 'annual' | 'quarterly' | 'monthly';

export interface FieldInfo {
  readonly name: string;
  readonly kind: string;
  readonly meaning: string;
  readonly unit: string | null;
  readonly values: readonly string[] | null;
  readonly fields: readonly FieldInfo[] | null;
}

interface LastRevisionInfo {
  readonly revision: number;
  readonly publishedAt: string;
  readonly source: string;
  readonly sample: boolean;
}

/** What was published, as `/revisions` tells of it. */
export interface RevisionEntry {
  readonly revision: number;
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly files: readonly { name: string; bytes: number; sha256: string }[];
  readonly author: string;
  readonly sample: boolean;
  readonly added: number;
  readonly corrected: number;
  readonly retired: number;
  readonly unchanged: number;
}

/** What `/corrections/{dataset}` tells: what stood before a revision, and what it put there. */
export interface CorrectionEntry<T = JsonRecord> {
  readonly revision: number;
  readonly publishedAt: string;
  readonly change: 'corrected' | 'retired';
  readonly old: T;
  readonly new: T | null;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** What the dataset is called; one that the catalogue has not goes by its name. */
export function getDatasetTitle(catalogue: readonly DatasetEntry[], dataset: string): string {
  return catalogue.find(({ name }) => name === dataset)?.title ?? dataset;
}

/** The field of that name; undefined where the dataset has none. */
export function findField(entry: DatasetEntry, name: string): FieldInfo | undefined {
  return entry.fields.find((field) => field.name === name);
}
