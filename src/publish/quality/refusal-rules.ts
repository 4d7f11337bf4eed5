import type { Dataset } from '../../catalogue/model/dataset.ts';

export const REFUSAL_BOUNDS = {
  /** A publisher may be a day ahead of UTC. */
  daysAhead: 1,
  /** The share of a dataset's records that `--replace` may retire. */
  retiredShare: 0.1,
  /** The share of the records that a load touches that it may correct. */
  correctedShare: 0.5,
  /** Fewer corrections than this are never too many: a small file may be all corrections. */
  minCorrected: 10,
  /** Years and quarters may be fiscal ones, which begin this many months before those of the calendar. */
  fiscalMonths: 6,
} as const;

interface RefusalRule {
  readonly when: string;
  /** The option that publishes nevertheless. */
  readonly option: string;
  readonly appliesTo: (dataset: Dataset) => boolean;
}

const { daysAhead, retiredShare, correctedShare, minCorrected, fiscalMonths } = REFUSAL_BOUNDS;

/** Reasons to reject a load unless an option allows it, by stable names. */
export const REFUSAL_RULES = {
  'future-date': {
    when: `a quote is dated more than ${daysAhead} day after today (UTC), or a period has not started by then: a month of a series, a year or quarter (which may be fiscal, and begin ${fiscalMonths} months early), the month in which the period of a fund ends`,
    option: '--future allow',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
  'retires-many': {
    when: `--replace would retire more than ${retiredShare * 100} % of the records`,
    option: '--retire-many',
    appliesTo: () => true,
  },
  'corrects-many': {
    when: `more than ${correctedShare * 100} % of the records that are loaded would correct published ones, at least ${minCorrected}; of funds, those that change figures of published periods. Not checked for reference data`,
    option: '--correct-many',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
} as const satisfies Record<string, RefusalRule>;

export type RefusalRuleName = keyof typeof REFUSAL_RULES;

export function isRefusalRule(name: string): name is RefusalRuleName {
  return Object.hasOwn(REFUSAL_RULES, name);
}
