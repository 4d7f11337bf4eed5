import { DEFAULT_SCOPE, type Declaration } from './model/declaration.ts';

type Measure = Declaration['measures'][number];
type Dimension = NonNullable<Declaration['dimensions']>[number];

/** Reads from a member what counts of it, with its default filled in; null for texts, charts and plans. */
type Effects<T> = { readonly [Name in keyof T]-?: ((value: T[Name]) => unknown) | null };

const asIs = (value: unknown) => value;
const isTrue = (value = false) => value;

const DIMENSION_EFFECTS: Effects<Dimension> = {
  field: asIs,
  title: null,
  // Labels are texts, and the order of codes is that of menus.
  codes: (codes) => codes && Object.keys(codes).sort(),
  codesStrict: isTrue,
};

const MEASURE_EFFECTS: Effects<Measure> = {
  field: asIs,
  title: null,
  unit: asIs,
  currency: asIs,
  scale: (scale = 1) => scale,
  decimals: asIs,
  kind: asIs,
  required: isTrue,
};

const EFFECTS: Effects<Declaration> = {
  name: null,
  title: null,
  description: null,
  notes: null,
  source: null,
  licence: asIs,
  scope: (scope = DEFAULT_SCOPE) => scope,
  period: ({ yearStart = 1, kind, field }) => [kind, field, yearStart],
  dimensions: (dimensions = []) => dimensions.map((each) => readEffects(DIMENSION_EFFECTS, each)),
  measures: (measures) => measures.map((each) => readEffects(MEASURE_EFFECTS, each)),
  checks: (checks = []) => checks,
  schedule: null,
  chart: null,
  status: isTrue,
  supersedes: null,
  coverage: (coverage = 'stable') => coverage,
};

/**
 * The members in which two declarations differ by who may read the records, on which terms, what their
 * figures are or how they are checked.
 */
export function listChangedEffects(before: Declaration, after: Declaration): string[] {
  const [old, current] = [readEffects(EFFECTS, before), readEffects(EFFECTS, after)];
  const format = (value: unknown) => JSON.stringify(value);
  return Object.keys(old).filter((name) => format(old[name]) !== format(current[name]));
}

function readEffects<T extends object>(effects: Effects<T>, value: T): Record<string, unknown> {
  const names = Object.keys(effects) as (keyof T & string)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const read = effects[name];
      return read === null ? [] : [[name, read(value[name])]];
    }),
  );
}
