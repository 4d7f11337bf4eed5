import type { Chart } from './chart.ts';
import type { ConsistencyCheck } from './consistency-check.ts';
import type { DeclarationOrigin, ShippedDeclaration } from './declaration.ts';
import type { AddedField, Fields, RecordOfFields } from './field.ts';
import type { Parameters } from './parameter.ts';
import type { PeriodKind } from './period.ts';
import type { PublicationSchedule } from './publication-schedule.ts';

/** A dataset. Types, validation, storage, routes, OpenAPI and contract tests follow from this. */
export interface Dataset<F extends Fields = Fields, P extends Parameters = Parameters> {
  /** The name in commands and exports; for a series, also the last part of its path. */
  readonly name: string;
  /** How records are keyed and queried. */
  readonly shape: DatasetShape;
  /** The declaration that it is created from; on series only. */
  readonly declaration?: ShippedDeclaration;
  /** When it was declared; on declared datasets only. */
  readonly declared?: DeclarationOrigin;
  readonly title: string;
  readonly description: string;
  /** Caveats for users of the figures, a sentence or two each. */
  readonly notes: readonly string[];
  /** The canonical path, then its aliases; for reference data, the path of the list that includes it. */
  readonly paths: readonly [string, ...string[]];
  readonly scope: Scope;
  /** Whether success bodies carry an empty `message`. */
  readonly hasMessage: boolean;
  readonly parameters: P;
  readonly fields: F;
  /** The fields that identify a record of reference data, if there are several; default: the first field. */
  readonly keyFields?: readonly string[];
  /** The last fields, in order, which earlier records lack; readers take them for null. */
  readonly addedFields?: readonly AddedField[];
  /** The field that identifies a record in a file if its key is blank; on securities only. */
  readonly alternateKey?: string;
  /** The field with the label of the period; on series only. */
  readonly period?: { readonly field: string; readonly kind: PeriodKind };
  /** Null if there is no schedule, as for reference data. */
  readonly schedule: PublicationSchedule | null;
  readonly checks: readonly ConsistencyCheck[];
  /** Null if there is nothing to plot. */
  readonly chart: Chart | null;
  /** A problem across the fields of a record; `rule` is what follows "must be". */
  validate?(record: RecordOfFields<F>): { field: string; rule: string } | undefined;
  /** Sorts the lists of a record as responses promise. */
  normalize?(record: RecordOfFields<F>): RecordOfFields<F>;
  readonly example: RecordOfFields<F>;
}

/** A dataset whose records are computed from others; a later release may compute them better. */
export interface ComputedDataset extends Dataset {
  /** The units of its measures, in order. */
  readonly computedUnits: readonly string[];
}

export type DatasetShape = 'quotes' | 'fund' | 'series' | 'reference';

export const SCOPES = ['quotes', 'funds', 'alternate'] as const;
/** The scope of declarations, which every token has. */
export const PUBLIC_SCOPE = 'public';
/** A built-in scope, or one that a declaration introduces. */
export type Scope = string;

/** A record of a dataset: `DatasetRecord<typeof quotes>`. */
export type DatasetRecord<D> = D extends { readonly fields: infer F extends Fields }
  ? RecordOfFields<F>
  : never;

export type AnyRecord = Readonly<Record<string, unknown>>;

/** Declares a dataset; the record type follows from its fields. */
export function defineDataset<const F extends Fields, const P extends Parameters>(
  declaration: Dataset<F, P>,
): Dataset<F, P> {
  return declaration;
}

/**
 * Declares reference data: a record for each security or fund, identified by its first field, ignoring letter
 * case, or by several fields. It has no path of its own: the list of securities or funds includes it; the
 * catalogue includes the declarations of datasets.
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
