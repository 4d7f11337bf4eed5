import type { Dataset } from '../catalogue/dataset.ts';
import type { Problem } from '../derive/record.ts';
import { problemsOf, textOf } from '../derive/record.ts';
import { tableOf, valuesIn } from '../derive/table.ts';
import type { PlaceName } from '../formats/index.ts';
import type { Row, SecurityTerms, Within } from '../store/index.ts';
import { DERIVED } from './derivation/index.ts';
import type { Problems, Spot } from './problems.ts';
import type { Warning } from './quality/index.ts';
import { recordWarnings } from './quality/index.ts';
import { lackingProblems, quotesExaminer } from './quotes-examiner.ts';
import type { Draft } from './records/draft.ts';
import type { Reporting } from './report.ts';

/** A row with where it came from. */
export interface PlacedRow extends Row, Spot {}

/** A file as problems and warnings name it. */
export interface Place {
  readonly file: string;
  readonly place: PlaceName;
  /** The line of one of the records that are at work, where places are records. */
  readonly lineOf?: (at: number) => number | undefined;
}

/** A place in that file. */
export function spotIn({ file, place, lineOf }: Place, at: number): Spot {
  const line = lineOf?.(at);
  return line === undefined ? { file, place, at } : { file, place, at, line };
}

/** Looks at drafts and lets those pass, as rows, that the catalogue takes. */
export interface Examiner {
  examine(drafts: readonly Draft[], where: Place): Promise<PlacedRow[]>;
  /** The terms that the drafts brought, for later loads. */
  terms(): ReadonlyMap<string, SecurityTerms>;
}

/** Where an examiner tells what it finds. */
export interface Examination {
  readonly problems: Problems;
  readonly reporting: Reporting;
  /** What stands for figures that cannot be computed; they are refused where absent. */
  readonly uncomputable: 'zero' | undefined;
}

/** An examiner for one dataset, while the store is held. */
export async function examinerOf(
  dataset: Dataset,
  within: Within,
  { problems, reporting, uncomputable }: Examination,
): Promise<Examiner> {
  const table = tableOf(dataset);
  const quotes = dataset.shape === 'quotes' ? await quotesExaminer(dataset, within) : undefined;

  // Files have millions of records with nothing wrong: nothing is made for those but their rows.
  const problemsIn = (draft: Draft): Draft['problems'] => {
    const { record, problems: given } = draft;
    if (given.some(({ field }) => field === '')) return given;
    const derived = quotes?.complete(draft);
    let own = NO_PROBLEMS;
    if (derived) {
      reporting.compute(derived.filled);
      own = derived.problems;
      if (uncomputable === 'zero') {
        for (const { field } of derived.lacking) record[field] = 0;
        reporting.giveUp(derived.lacking.map(({ field }) => field));
      } else if (given.length + own.length === 0) own = lackingProblems(derived.lacking);
    }
    const wrong = problemsOf(dataset, record);
    if (given.length + own.length + wrong.length === 0) return NO_PROBLEMS;
    const found = [...given, ...own];
    // What is named already is not named again for want of a value.
    const named = new Set(given.map(({ field }) => field.split(/[.:]/)[0]));
    // Nor is a figure that is wanting because of what is named.
    if (quotes && found.length > 0) for (const field of DERIVED) named.add(field);
    return [...found, ...wrong.filter(({ field }) => !named.has(field))];
  };

  const pass = (draft: Draft, where: Place): PlacedRow | undefined => {
    const { at, record } = draft;
    const found = problemsIn(draft);
    if (found.length > 0) {
      for (const { at: own = at, ...problem } of found) {
        problems.add({ ...spotIn(where, own), ...problem });
      }
      return undefined;
    }
    const warn = (warning: Warning, place = at) => reporting.warn(warning, spotIn(where, place));
    for (const { at: place, ...warning } of draft.warnings ?? NO_WARNINGS) warn(warning, place);
    for (const warning of recordWarnings(dataset, record)) warn(warning);
    for (const warning of quotes?.look(record) ?? NO_WARNINGS) warn(warning);
    const { file, place, lineOf } = where;
    const row = {
      columns: valuesIn(table, record),
      text: textOf(dataset, record),
      at,
      file,
      place,
    };
    const line = lineOf?.(at);
    return line === undefined ? row : { ...row, line };
  };

  return {
    terms: quotes?.brought ?? (() => new Map()),
    async examine(drafts, where) {
      await quotes?.prepare(drafts);
      const rows: PlacedRow[] = [];
      for (const draft of drafts) {
        reporting.records++;
        const row = pass(draft, where);
        if (row) rows.push(row);
      }
      return rows;
    },
  };
}

const NO_PROBLEMS: readonly Problem[] = [];
const NO_WARNINGS: readonly never[] = [];
