import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { ValueFormat } from '../cells/create-converter.ts';
import type { ExternalColumns } from '../mapping/column-plan.ts';
import type { Mapping } from '../mapping/mapping.ts';

/** Everything needed to read a file's records besides the file itself. */
export interface ReadContext {
  readonly dataset: Dataset;
  readonly mapping: Mapping;
  readonly valueFormat: ValueFormat;
  readonly externalColumns: ExternalColumns;
  readonly findCurrentFund: (id: string) => Promise<CurrentFund | undefined>;
  /** Whether the files are the complete dataset, so that no current period is kept. */
  readonly replace: boolean;
  /** The current time, for records without instants. */
  readonly now: string;
  readonly onSkipped: (what: string) => void;
}

/** The published record of a fund. */
export interface CurrentFund extends AnyRecord {
  readonly periods: readonly { readonly label: string; readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}
