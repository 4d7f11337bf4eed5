import type { RecordStream } from './fetch-pages.ts';
import type { AlignedParameters, TransformParameters } from './generated.ts';
import type { CallOptions } from './options.ts';
import type { TenorResponse } from './response-meta.ts';

/** A row of an aligned table: a period, and the figure of each column, null if there is none. */
export type AlignedRow<Column extends string = string> = string extends Column
  ? { readonly period: string } & Readonly<Record<string, string | number | null>>
  : { readonly period: string } & { readonly [Name in Column]: number | null } & {
      readonly [Name in `${Column}.status`]?: string | null;
    } & { readonly [Name in `${Column}.observed`]?: number };

const FLAGS = ['status', 'observed', 'partial'] as const;

export interface AlignedTableParameters
  extends Omit<AlignedParameters, 'columns' | 'names' | (typeof FLAGS)[number]> {
  /** Whether the status of each figure follows it, as `<column>.status`. */
  readonly status?: boolean | undefined;
  /** Whether the number of figures that each was computed from follows it, as `<column>.observed`. */
  readonly observed?: boolean | undefined;
  /** Whether the period that is not over yet is given too, by the figures that there are so far. */
  readonly partial?: boolean | undefined;
}

/**
 * Figures of several datasets by period, from one revision. A column is a text such as
 * `kibor.bid(tenor=6M)` or `pos-transactions-quarterly-volume.atm:pc1`; `alignedColumn` writes it.
 */
export interface Aligned {
  /** One page of at most `limit` rows; `meta.hasMore` tells whether there are more. */
  <const Column extends string>(
    columns: readonly Column[],
    parameters?: AlignedTableParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly AlignedRow<Column>[]>>;
  /** All pages, of at most `limit` rows each, from one revision. */
  pages<const Column extends string>(
    columns: readonly Column[],
    parameters?: AlignedTableParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly AlignedRow<Column>[]>, void, undefined>;
  /** Every row, from all pages. */
  all<const Column extends string>(
    columns: readonly Column[],
    parameters?: AlignedTableParameters,
    options?: CallOptions,
  ): RecordStream<AlignedRow<Column>>;
}

/** The text of a column: values that hold the signs of its syntax are percent-encoded. */
export function alignedColumn(
  dataset: string,
  measure: string,
  dimensions: Readonly<Record<string, string>> = {},
  units?: TransformParameters['units'],
  aggregate?: TransformParameters['aggregate'],
): string {
  const values = Object.entries(dimensions).map(([name, value]) => `${name}=${encode(value)}`);
  const selection = values.length > 0 ? `(${values.join()})` : '';
  const transform = `${aggregate ? `@${aggregate}` : ''}${units ? `:${units}` : ''}`;
  return `${dataset}.${encode(measure)}${selection}${transform}`;
}

const encode = (text: string) =>
  text.replace(/[(),:@%]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query of a table. */
export function formatAlignedQuery(
  columns: readonly string[],
  parameters: AlignedTableParameters = {},
): object {
  if (!Array.isArray(columns)) throw new TypeError('columns must be a list of texts');
  const flags = FLAGS.filter((name) => parameters[name] !== undefined);
  const texts = flags.map((name) => [name, String(parameters[name])]);
  return { ...parameters, ...Object.fromEntries(texts), columns };
}
