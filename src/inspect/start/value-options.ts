import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findIneffectiveKey } from '../../publish/mapping/ineffective-keys.ts';
import type { ColumnProfile } from '../profile-column.ts';

/** Options of a mapping or an adapter; `?` is rejected by a load until a person decides. */
export type StartOptions = Readonly<Record<string, unknown>>;

/** The format of the values in the used columns; ambiguities become questions. */
export function findValueOptions(columns: readonly ColumnProfile[], dataset: Dataset) {
  const decimal = settle(columns, 'decimal', ['.', ',']);
  const hasNames = columns.some(({ dateOrder }) => dateOrder === 'named');
  const dates = settle(columns, 'dateOrder', ['dmy', 'mdy']) ?? (hasNames ? 'dmy' : undefined);
  const blanks = [...new Set(columns.flatMap(({ blankMarks }) => blankMarks))];
  const periods = findPeriodStyle(columns, dataset);
  const options = { decimal, dates, periods, blanks: blanks.length > 0 ? blanks : undefined };
  // A load rejects keys that cannot change anything.
  const isEffective = ([key, value]: [string, unknown]) =>
    value !== undefined && findIneffectiveKey({ [key]: value }, dataset) === undefined;
  const effective: StartOptions = Object.fromEntries(Object.entries(options).filter(isEffective));
  const questions: readonly (readonly [boolean, string])[] = [
    [effective.decimal === '?', `decimal: "." or ","; ${quoteOpen(columns, 'decimal')}`],
    [effective.dates === '?', `dates: "dmy" or "mdy"; ${quoteOpen(columns, 'dateOrder')}`],
    [effective.periods === '?', FISCAL_QUESTION],
  ];
  return { options: effective, questions: questions.flatMap(([asks, text]) => (asks ? text : [])) };
}

/** Whether a label is that of a fiscal year, which may begin with any month. */
export const isFiscal = (label: string) => /fy|-\s?[a-z]/i.test(label);

export const FISCAL_QUESTION =
  'periods: "sbp" takes fiscal years as July to June, named after the year they end in';

type Spelling = 'decimal' | 'dateOrder';

/** The spelling that some cells use and none contradict. */
function settle(
  columns: readonly ColumnProfile[],
  spelling: Spelling,
  choices: readonly string[],
): string | undefined {
  const spellings = new Set<string | undefined>(columns.map((column) => column[spelling]));
  const [found, other] = choices.filter((choice) => spellings.has(choice));
  if (other !== undefined || spellings.has('both')) return '?';
  return found ?? (spellings.has('either') ? '?' : undefined);
}

/** Months may be written as their first or last day, and quarters as months. */
function findPeriodStyle(columns: readonly ColumnProfile[], { period, declared }: Dataset) {
  const labels = columns.filter(({ needsPeriodConversion }) => needsPeriodConversion);
  // Declarations say when years begin.
  if (!declared && labels.some(({ examples }) => examples.some(isFiscal))) return '?';
  const isQuarter = period?.kind.unit === 'quarter';
  const hasDates = columns.some(({ kind }) => kind === 'day' || (isQuarter && kind === 'month'));
  return labels.length > 0 || (period !== undefined && hasDates) ? 'sbp' : undefined;
}

function quoteOpen(columns: readonly ColumnProfile[], spelling: Spelling): string {
  const open = columns.filter((column) => column[spelling] !== undefined);
  const isEither = open.every((column) => column[spelling] === 'either');
  const text = JSON.stringify(open[0]?.examples[0] ?? '');
  return `${spelling === 'decimal' ? 'figures' : 'days'} such as ${text} ${isEither ? 'may be either' : 'are written both ways'}`;
}
