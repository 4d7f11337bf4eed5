import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findIneffectiveKey } from '../../publish/mapping/ineffective-keys.ts';
import type { Mapping } from '../../publish/mapping/mapping.ts';
import type { FileProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';

/** `?` is rejected by a load until a person decides. */
export interface ValueOptions extends Pick<Mapping, 'periods' | 'blanks' | 'blank'> {
  readonly decimal?: Mapping['decimal'] | '?';
  readonly dates?: Mapping['dates'] | '?';
}

export interface InferredOptions {
  readonly options: ValueOptions;
  /** What the file leaves open, for a person to decide. */
  readonly questions: readonly string[];
}

/** How the values of the columns in use are written; what is ambiguous is a question. */
export function inferOptions(
  columns: readonly ColumnProfile[],
  file: Pick<FileProfile, 'delimiter'>,
  dataset: Dataset,
): InferredOptions {
  const questions: string[] = [];
  const options = {
    ...inferDecimal(columns, file, questions),
    ...inferDates(columns, questions),
    ...inferPeriods(columns, dataset, questions),
    ...inferBlanks(columns, dataset, questions),
  };
  return { options: omitIneffective(options, dataset), questions };
}

/** A load rejects keys that cannot change anything. */
function omitIneffective(options: ValueOptions, dataset: Dataset): ValueOptions {
  const isEffective = ([key, value]: [string, unknown]) =>
    findIneffectiveKey({ [key]: value }, dataset) === undefined;
  return Object.fromEntries(Object.entries(options).filter(isEffective));
}

const namesOf = (columns: readonly ColumnProfile[]) => columns.map(({ name }) => name).join(', ');

function inferDecimal(
  columns: readonly ColumnProfile[],
  { delimiter }: Pick<FileProfile, 'delimiter'>,
  questions: string[],
): ValueOptions {
  const signs = new Set(columns.map(({ decimal }) => decimal));
  const isMixed = signs.has('both') || (signs.has('.') && signs.has(','));
  if (isMixed) {
    questions.push('decimal: some figures have a decimal point and others a decimal comma');
    return { decimal: '?' };
  }
  if (signs.has(',')) return { decimal: ',' };
  if (signs.has('.')) return delimiter === ',' ? {} : { decimal: '.' };
  if (!signs.has('either')) return {};
  const [example] = columns.filter(({ decimal }) => decimal === 'either');
  const text = example?.examples[0] ?? '';
  questions.push(`decimal: "." or ","; figures such as ${JSON.stringify(text)} may be either`);
  return { decimal: '?' };
}

function inferDates(columns: readonly ColumnProfile[], questions: string[]): ValueOptions {
  const days = columns.filter(({ dateOrder }) => dateOrder !== undefined);
  const orders = new Set(days.map(({ dateOrder }) => dateOrder));
  if (orders.has('both') || (orders.has('dmy') && orders.has('mdy'))) {
    questions.push(`dates: days of both orders, in ${namesOf(days)}`);
    return { dates: '?' };
  }
  const order = orders.has('dmy') ? 'dmy' : orders.has('mdy') ? 'mdy' : undefined;
  if (order) return { dates: order };
  const [open] = days.filter(({ dateOrder }) => dateOrder === 'either');
  if (!open) return days.length > 0 ? { dates: 'dmy' } : {};
  const text = open.examples[0] ?? '';
  questions.push(`dates: "dmy" or "mdy"; days such as ${JSON.stringify(text)} may be either`);
  return { dates: '?' };
}

function inferPeriods(
  columns: readonly ColumnProfile[],
  { period }: Dataset,
  questions: string[],
): ValueOptions {
  // A month may be written as its first or last day.
  const converted = columns.filter(
    ({ needsPeriodConversion, kind }) => needsPeriodConversion || (period && kind === 'day'),
  );
  if (converted.length === 0) return {};
  const labels = converted.flatMap(({ examples }) => examples);
  if (labels.some((label) => /fy|-\s?[a-z]/i.test(label)))
    questions.push(
      'periods: "sbp" takes fiscal years as July to June, named after the year they end in',
    );
  return { periods: 'sbp' };
}

function inferBlanks(
  columns: readonly ColumnProfile[],
  dataset: Dataset,
  questions: string[],
): ValueOptions {
  const blanks = [...new Set(columns.flatMap(({ blankMarks }) => blankMarks))];
  const options = blanks.length > 0 ? { blanks } : {};
  const withBlanks = columns.filter(
    ({ kind, blank }) => blank > 0 && (kind === 'number' || kind === 'percent' || kind === 'blank'),
  );
  if (withBlanks.length === 0) return options;
  // In quotes a price of 0 means that there is no order.
  if (dataset.shape === 'quotes') return { ...options, blank: 'zero' };
  questions.push(`blank: "zero" reads blank cells as 0; there are some in ${namesOf(withBlanks)}`);
  return options;
}
