import type { Dataset } from '../../catalogue/dataset.ts';
import type { Habits } from '../cells/index.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Elsewhere } from '../mapping/plan.ts';
import type { StandingFund } from './funds.ts';

/** What reading the records of a file depends on, beside the file. */
export interface Circumstances {
  readonly dataset: Dataset;
  readonly mapping: Mapping;
  readonly habits: Habits;
  readonly elsewhere: Elsewhere;
  readonly standingFund: StandingFund;
  /** Whether the files are the whole dataset, so that nothing that stands is added to them. */
  readonly replace: boolean;
  /** The present, for records that have none of their own. */
  readonly now: string;
  readonly onSkipped: (what: string) => void;
}
