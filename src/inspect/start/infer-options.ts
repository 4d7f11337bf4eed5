import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findIneffectiveKey } from '../../publish/mapping/ineffective-keys.ts';
import type { Mapping } from '../../publish/mapping/mapping.ts';
import type { ColumnProfile } from '../profile-column.ts';

/** `?` is rejected by a load until a person decides. */
export interface ValueOptions extends Pick<Mapping, 'periods' | 'blanks' | 'blank'> {
  readonly decimal?: Mapping['decimal'] | '?';
  readonly dates?: Mapping['dates'] | '?';
  readonly scale?: '?';
}

/** Options, and questions for a person where the file leaves one open. */
export interface InferredOptions {
  readonly options: ValueOptions;
  readonly questions: readonly string[];
}

/** Infers how the values of the columns in use are written; what is ambiguous is a question. */
export function inferOptions(columns: readonly ColumnProfile[], dataset: Dataset): InferredOptions {
  const inferred = [inferDecimal, inferDates, inferPeriods, inferBlanks].map((infer) =>
    infer(columns, dataset),
  );
  const options = Object.assign({}, ...inferred.map(({ options }) => options));
  // A load rejects keys that cannot change anything.
  const isEffective = ([key, value]: [string, unknown]) =>
    findIneffectiveKey({ [key]: value }, dataset) === undefined;
  return {
    options: Object.fromEntries(Object.entries(options).filter(isEffective)),
    questions: inferred.flatMap(({ questions }) => questions),
  };
}

/** The hole of a question about units, which figures alone do not answer. */
export const leaveScaleOpen = (questions: readonly string[]): ValueOptions =>
  questions.some((question) => question.startsWith('scale:')) ? { scale: '?' } : {};

const infer = (options: ValueOptions, ...questions: string[]): InferredOptions => ({
  options,
  questions,
});

const listNames = (columns: readonly ColumnProfile[]) => columns.map(({ name }) => name).join(', ');

function inferDecimal(columns: readonly ColumnProfile[]): InferredOptions {
  const signs = new Set(columns.map(({ decimal }) => decimal));
  if (signs.has('both') || (signs.has('.') && signs.has(',')))
    return infer(
      { decimal: '?' },
      'decimal: some figures have a decimal point and others a decimal comma',
    );
  if (signs.has(',') || signs.has('.')) return infer({ decimal: signs.has(',') ? ',' : '.' });
  const example = columns.find(({ decimal }) => decimal === 'either')?.examples[0];
  if (example === undefined) return infer({});
  const text = JSON.stringify(example);
  return infer({ decimal: '?' }, `decimal: "." or ","; figures such as ${text} may be either`);
}

function inferDates(columns: readonly ColumnProfile[]): InferredOptions {
  const days = columns.filter(({ dateOrder }) => dateOrder !== undefined);
  const orders = new Set(days.map(({ dateOrder }) => dateOrder));
  if (orders.has('both') || (orders.has('dmy') && orders.has('mdy')))
    return infer({ dates: '?' }, `dates: days of both orders, in ${listNames(days)}`);
  const order = orders.has('dmy') ? 'dmy' : orders.has('mdy') ? 'mdy' : undefined;
  if (order) return infer({ dates: order });
  const open = days.find(({ dateOrder }) => dateOrder === 'either');
  if (!open) return infer(days.length > 0 ? { dates: 'dmy' } : {});
  const text = JSON.stringify(open.examples[0] ?? '');
  return infer({ dates: '?' }, `dates: "dmy" or "mdy"; days such as ${text} may be either`);
}

function inferPeriods(columns: readonly ColumnProfile[], { period }: Dataset): InferredOptions {
  // A month may be written as its first or last day.
  const converted = columns.filter(
    ({ needsPeriodConversion, kind }) => needsPeriodConversion || (period && kind === 'day'),
  );
  if (converted.length === 0) return infer({});
  const labels = converted.flatMap(({ examples }) => examples);
  const isFiscal = labels.some((label) => /fy|-\s?[a-z]/i.test(label));
  const question =
    'periods: "sbp" takes fiscal years as July to June, named after the year they end in';
  return infer({ periods: 'sbp' }, ...(isFiscal ? [question] : []));
}

function inferBlanks(columns: readonly ColumnProfile[], { shape }: Dataset): InferredOptions {
  const marks = [...new Set(columns.flatMap(({ blankMarks }) => blankMarks))];
  const options = marks.length > 0 ? { blanks: marks } : {};
  const withBlanks = columns.filter(
    ({ kind, blank }) => blank > 0 && (kind === 'number' || kind === 'percent' || kind === 'blank'),
  );
  if (withBlanks.length === 0) return infer(options);
  // In quotes a price of 0 means that there is no order.
  if (shape === 'quotes') return infer({ ...options, blank: 'zero' });
  const names = listNames(withBlanks);
  return infer(options, `blank: "zero" reads blank cells as 0; there are some in ${names}`);
}
