import type { DeclarationOrigin } from '../catalogue/model/declaration.ts';
import type { StructureQuery } from './artefacts.ts';

export const DATA_FORMATS = ['xml', 'csv', 'csv2'] as const;
export const STRUCTURE_FORMATS = ['xml', 'json'] as const;
export const DATA_DETAILS = ['full', 'dataonly', 'serieskeysonly', 'nodata'] as const;

/** The observations of a data message. */
export interface DataQuery {
  /** Keys of which a series has one: allowed codes of each dimension, all if null. */
  readonly keys?: readonly SeriesKey[] | undefined;
  readonly startPeriod?: string | undefined;
  readonly endPeriod?: string | undefined;
  readonly firstNObservations?: number | undefined;
  readonly lastNObservations?: number | undefined;
  /** Only what was published after this revision. */
  readonly since?: number | undefined;
  readonly detail: (typeof DATA_DETAILS)[number];
  /** Whether attributes are left out, or measures, as requests of REST 2 may say. */
  readonly dimensionAtObservation: string;
  readonly format: (typeof DATA_FORMATS)[number];
}

export type SeriesKey = readonly (readonly string[] | null)[];

/** A message of one revision; can be sent between threads. */
export interface Message {
  readonly agency: string;
  readonly revision: number;
  /** The newest revision that the server knows. */
  readonly newest: number;
  /** The revision that the message is the same from, and its instant. */
  readonly prepared: Pick<DeclarationOrigin, 'revision' | 'publishedAt'>;
  readonly content:
    | { readonly kind: 'data'; readonly dataset: string; readonly query: DataQuery }
    | {
        readonly kind: 'structure';
        readonly query: StructureQuery & { readonly format: (typeof STRUCTURE_FORMATS)[number] };
        /** Names of datasets. */
        readonly datasets: readonly string[];
        /** Those whose records the token may read: only their code lists have what records have. */
        readonly readable: readonly string[];
        /** Those whose loads the token may know, and so the licences that these name. */
        readonly licensed: readonly string[];
      };
}
