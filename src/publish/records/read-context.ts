import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ValueFormat } from '../cells/create-converter.ts';
import type { ExternalColumns } from '../mapping/column-plan.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { FindCurrentFund } from './fund-collector.ts';

/** What reading the records of a file depends on, beside the file. */
export interface ReadContext {
  readonly dataset: Dataset;
  readonly mapping: Mapping;
  readonly valueFormat: ValueFormat;
  readonly externalColumns: ExternalColumns;
  readonly findCurrentFund: FindCurrentFund;
  /** Whether the files are the whole dataset, so that nothing that stands is added to them. */
  readonly replace: boolean;
  /** The present, for records that have none of their own. */
  readonly now: string;
  readonly onSkipped: (what: string) => void;
}
