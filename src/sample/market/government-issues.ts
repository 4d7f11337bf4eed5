import { addMonths, dayNumber } from '../../calendar.ts';
import { FIRST_DAY, LAST_DAY, weekdayFrom } from './days.ts';
import type { Issue, Pays } from './issue.ts';
import { symbolOf } from './symbols.ts';

/** Government bonds and sukuk: each line of the programme is sold again after so many months. */
export function governmentIssues(): Issue[] {
  return PROGRAMME.flatMap(({ kind, years, first, everyMonths }) => {
    const issues: Issue[] = [];
    for (let place = 0; ; place += 1) {
      const maturity = weekdayFrom(addMonths(dayNumber(first), place * everyMonths + years * 12));
      const issued = weekdayFrom(addMonths(maturity, -12 * years));
      if (issued > LAST_DAY) return issues;
      if (maturity <= FIRST_DAY) continue;
      const symbol = symbolOf('Z', years, kind, maturity);
      issues.push({ symbol, type: 'bond', issued, maturity, ...KINDS[kind] });
    }
  });
}

const fixed: Pays = { rate: 'fixed', frequency: 2 };
const floating: Pays = { rate: 'floating', frequency: 2 };

/** PIB and PFL are bonds, GIS, FRR and VRR sukuk, which yield less: fewer of them are sold. */
const KINDS = {
  PIB: { pays: fixed, margin: 0 },
  PFL: { pays: floating, margin: 0.35 },
  GIS: { pays: 'discount', margin: -0.2 },
  FRR: { pays: fixed, margin: -0.15 },
  VRR: { pays: floating, margin: 0.1 },
} satisfies Record<string, Pick<Issue, 'pays' | 'margin'>>;

interface Line {
  readonly kind: keyof typeof KINDS;
  readonly years: number;
  readonly first: string;
  readonly everyMonths: number;
}

const PROGRAMME: readonly Line[] = [
  { kind: 'PIB', years: 3, first: '2020-09-17', everyMonths: 9 },
  { kind: 'PIB', years: 5, first: '2018-10-15', everyMonths: 12 },
  { kind: 'PIB', years: 10, first: '2013-10-21', everyMonths: 36 },
  { kind: 'PIB', years: 15, first: '2013-08-12', everyMonths: 60 },
  { kind: 'PIB', years: 20, first: '2015-01-22', everyMonths: 60 },
  { kind: 'PFL', years: 3, first: '2020-11-05', everyMonths: 12 },
  { kind: 'PFL', years: 5, first: '2019-06-06', everyMonths: 18 },
  { kind: 'GIS', years: 1, first: '2022-07-13', everyMonths: 3 },
  { kind: 'FRR', years: 3, first: '2021-05-24', everyMonths: 18 },
  { kind: 'FRR', years: 5, first: '2018-12-10', everyMonths: 18 },
  { kind: 'VRR', years: 3, first: '2021-02-08', everyMonths: 12 },
  { kind: 'VRR', years: 5, first: '2019-04-28', everyMonths: 24 },
];
