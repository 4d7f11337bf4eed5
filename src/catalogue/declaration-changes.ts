import { DEFAULT_SCOPE, type Declaration } from './model/declaration.ts';

type Measure = Declaration['measures'][number];
type Dimension = NonNullable<Declaration['dimensions']>[number];

/**
 * The reasons why a published declaration cannot be replaced by another, one line each that begins with a
 * JSON path. Declarations may only grow: by texts, codes, and measures that are not required.
 */
export function findRefusedChanges(
  before: Declaration,
  after: Declaration,
  rewordsUnits = false,
): string[] {
  return [
    ...compare('$.period', withYearStart(before), withYearStart(after), [
      ...(['kind', 'field', 'yearStart'] as const),
    ]),
    ...compare('$', withScope(before), withScope(after), ['scope', 'status']),
    ...findDimensionChanges(before.dimensions ?? [], after.dimensions ?? []),
    ...findMeasureChanges(before.measures, after.measures, rewordsUnits),
  ];
}

/** Fills in the default, so that leaving it out equals stating it. */
const withYearStart = ({ period }: Declaration) => ({ yearStart: 1, ...period });
const withScope = ({ scope = DEFAULT_SCOPE, status = false }: Declaration) => ({ scope, status });

function* findDimensionChanges(before: readonly Dimension[], after: readonly Dimension[]) {
  if (after.length !== before.length)
    yield `$.dimensions must be ${formatFields(before) || 'absent'}, as they were declared`;
  for (const [index, dimension] of before.entries()) {
    const now = after[index];
    if (!now) continue;
    const path = `$.dimensions[${index}]`;
    yield* compare(path, dimension, now, ['field']);
    const codes = Object.keys(dimension.codes ?? {});
    const missing = codes.find((code) => !Object.hasOwn(now.codes ?? {}, code));
    if (missing !== undefined) yield `${path}.codes must have ${JSON.stringify(missing)} still`;
    if (now.codesStrict && !dimension.codesStrict)
      yield `${path}.codesStrict must be absent or false, as it was declared`;
  }
}

function* findMeasureChanges(
  before: readonly Measure[],
  after: readonly Measure[],
  rewordsUnits: boolean,
) {
  for (const [index, measure] of before.entries()) {
    const now = after[index];
    const path = `$.measures[${index}]`;
    if (now?.field !== measure.field) {
      yield `${path} must be ${measure.field}, as it was declared; new measures come after the others`;
      return;
    }
    yield* compare(path, measure, now, ['kind', 'currency', 'scale']);
    if (!rewordsUnits)
      for (const text of compare(path, measure, now, ['unit']))
        yield `${text}; if the figures stay what they are, --reword-unit changes its wording`;
    if (now.required && !measure.required)
      yield `${path}.required must be absent or false, as it was declared`;
  }
  for (const [index, measure] of after.entries())
    if (index >= before.length && measure.required)
      yield `$.measures[${index}].required must be absent or false: earlier records have null there`;
}

function* compare<T extends object>(
  path: string,
  before: T,
  after: T,
  names: (keyof T & string)[],
) {
  for (const name of names)
    if (before[name] !== after[name])
      yield `${path}.${name} must be ${JSON.stringify(before[name]) ?? 'absent'}, as it was declared, not ${JSON.stringify(after[name]) ?? 'absent'}`;
}

const formatFields = (list: readonly { readonly field: string }[]) =>
  list.map(({ field }) => field).join(', ');
