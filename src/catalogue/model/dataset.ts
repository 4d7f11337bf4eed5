import type { Chart } from './chart.ts';
import type { ConsistencyCheck } from './consistency-check.ts';
import type { DeclarationOrigin, ShippedDeclaration } from './declaration.ts';
import type { AddedField, Fields, RecordOfFields } from './field.ts';
import type { Parameters } from './parameter.ts';
import type { PeriodKind } from './period.ts';
import type { PublicationSchedule } from './publication-schedule.ts';

/** A dataset. Types, validation, storage, routes, OpenAPI and contract tests follow from this. */
export interface Dataset<F extends Fields = Fields, P extends Parameters = Parameters> {
  /** The name in commands and exports; for a series also the last part of its path. */
  readonly name: string;
  /** How records are keyed and queried. */
  readonly shape: DatasetShape;
  /** The data that it is created from; of series only. */
  readonly declaration?: ShippedDeclaration;
  /** When it was declared; of datasets of the publisher only. */
  readonly declared?: DeclarationOrigin;
  readonly title: string;
  readonly description: string;
  /** Caveats for users of the figures, of a sentence or two each. */
  readonly notes: readonly string[];
  /** The canonical path, then its aliases; of reference data, the list that includes it. */
  readonly paths: readonly [string, ...string[]];
  readonly scope: Scope;
  /** Whether success bodies carry an empty `message`. */
  readonly hasMessage: boolean;
  readonly parameters: P;
  readonly fields: F;
  /** The fields that identify a record, of reference data that has several; else its first one. */
  readonly keyFields?: readonly string[];
  /** The last fields, in order, that records from before lack: readers take them for null. */
  readonly addedFields?: readonly AddedField[];
  /** The field that identifies a record in a file where its key is blank; on securities only. */
  readonly alternateKey?: string;
  /** The field with the label of the period; on series only. */
  readonly period?: { readonly field: string; readonly kind: PeriodKind };
  /** Null where nothing is awaited: reference data changes when it changes. */
  readonly schedule: PublicationSchedule | null;
  readonly checks: readonly ConsistencyCheck[];
  /** Null where there is nothing to plot. */
  readonly chart: Chart | null;
  /** A problem across the fields of a record; `rule` is what follows "must be". */
  validate?(record: RecordOfFields<F>): { field: string; rule: string } | undefined;
  /** Sorts the lists of a record as responses promise. */
  normalize?(record: RecordOfFields<F>): RecordOfFields<F>;
  readonly example: RecordOfFields<F>;
}

/** A dataset whose records are computed from others, which a later release may do better. */
export interface ComputedDataset extends Dataset {
  /** The units of its measures, in their order. */
  readonly computedUnits: readonly string[];
}

export type DatasetShape = 'quotes' | 'fund' | 'series' | 'reference';

export const SCOPES = ['quotes', 'funds', 'alternate'] as const;
/** The scope of declarations, which every token has. */
export const PUBLIC_SCOPE = 'public';
/** A built-in scope, or a word of a declaration. */
export type Scope = string;

/** A record of a dataset: `DatasetRecord<typeof quotes>`. */
export type DatasetRecord<D> = D extends { readonly fields: infer F extends Fields }
  ? RecordOfFields<F>
  : never;

/** A record of any dataset. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** Declares a dataset; the record type follows from its fields. */
export function defineDataset<const F extends Fields, const P extends Parameters>(
  declaration: Dataset<F, P>,
): Dataset<F, P> {
  return declaration;
}

/**
 * Declares reference data: one record for each security or fund, identified by its first field in
 * any letter case, or by several fields. It has no path of its own: the list of securities or funds
 * includes it, and the catalogue the declarations of datasets.
 */
export function defineReference<const F extends Fields, const P extends Parameters>(
  declaration: Pick<
    Dataset<F, P>,
    | 'name'
    | 'title'
    | 'description'
    | 'notes'
    | 'fields'
    | 'example'
    | 'paths'
    | 'parameters'
    | 'scope'
    | 'alternateKey'
    | 'keyFields'
    | 'addedFields'
  >,
): Dataset<F, P> {
  return {
    shape: 'reference',
    hasMessage: false,
    schedule: null,
    checks: [],
    chart: null,
    ...declaration,
  };
}
