import { datasets as declarations } from '../../catalogue/datasets/datasets.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset, Scope } from '../../catalogue/model/dataset.ts';
import type { ShippedDeclaration } from '../../catalogue/model/declaration.ts';
import { isNumberField } from '../../catalogue/model/field.ts';
import { createPeriodKind, type PeriodKind } from '../../catalogue/model/period.ts';
import { formatNames } from '../../shared/format-names.ts';
import { ANALYTICS_UNITS, analyticsOperation } from '../analytics/analytics-operation.ts';
import {
  CURVE_RATES,
  CURVE_UNITS,
  curveOperation,
  FIGURE_DATASETS,
} from '../curve/curve-operation.ts';

/** A dataset, or what is computed from one, whose figures can stand beside others by period. */
export interface AlignedSource extends Pick<ShippedDeclaration, 'measures' | 'keyedList'> {
  readonly name: string;
  readonly title: string;
  readonly scope: Scope;
  readonly datasets: readonly string[];
  readonly kind: PeriodKind;
  readonly dimensions?: ShippedDeclaration['dimensions'];
  /** Present if it is no dataset: its figures take milliseconds each. */
  readonly computed?: 'curve' | 'analytics';
}

type Measure = ShippedDeclaration['measures'][number];

const DAYS = createPeriodKind('day');
const { name: DECLARATIONS } = declarations;

const SYMBOL = { field: 'symbol', title: 'Symbol' };

const CURVE: AlignedSource = {
  name: curveOperation.name,
  title: curveOperation.title,
  scope: curveOperation.scope,
  datasets: FIGURE_DATASETS,
  kind: DAYS,
  computed: 'curve',
  measures: CURVE_RATES.map((field) => {
    const unit = field === 'discountFactor' ? '' : CURVE_UNITS[field];
    return { field, title: field, unit, kind: 'stock' };
  }),
  dimensions: [
    { field: 'tenor', title: 'Tenor' },
    {
      field: 'market',
      title: 'Market',
      codes: { government: '', corporate: '' },
      codesStrict: true,
    },
  ],
};

/** The figures of a security, as the operation gives them without other parameters. */
const ANALYTICS: AlignedSource = {
  name: analyticsOperation.name,
  title: analyticsOperation.title,
  scope: analyticsOperation.scope,
  datasets: FIGURE_DATASETS,
  kind: DAYS,
  computed: 'analytics',
  measures: Object.entries(ANALYTICS_UNITS).map(([field, unit]) => ({
    field,
    title: field,
    unit,
    kind: 'stock',
  })),
  dimensions: [SYMBOL],
};

const COMPUTED_SOURCES = [CURVE, ANALYTICS];

/** The last figure of a security stands for a period, but volumes add up. */
const QUOTE_MEASURES = Object.entries(quotes.fields).flatMap(([field, each]): Measure[] => {
  const { kind, description: title, unit = '' } = each;
  return isNumberField(each)
    ? [{ field, title, unit, kind: kind === 'amount' ? 'flow' : 'stock' }]
    : [];
});

/** The source of a name in columns; undefined if no dataset has it, or it has no periods. */
export function findAlignedSource(
  name: string,
  datasets: readonly Dataset[],
): AlignedSource | undefined {
  const dataset = datasets.find((each) => each.name === name);
  return dataset ? toAlignedSource(dataset) : COMPUTED_SOURCES.find((each) => each.name === name);
}

function toAlignedSource(dataset: Dataset): AlignedSource | undefined {
  const { name, title, scope, shape, declaration, declared, period } = dataset;
  // Titles are those of the declaration.
  const source = { name, title, scope, datasets: declared ? [name, DECLARATIONS] : [name] };
  if (shape === 'quotes')
    return {
      ...source,
      kind: DAYS,
      measures: QUOTE_MEASURES,
      dimensions: [SYMBOL],
    };
  return declaration && period && { ...declaration, ...source, kind: period.kind };
}

/** The measure of a column, or the member of a list; undefined if the source has none. */
export function findMeasure(
  source: AlignedSource,
  name: string,
): Omit<Measure, 'field'> | undefined {
  const { measures, keyedList } = source;
  const key = getMemberKey(source, name);
  if (key && keyedList) return { ...keyedList.value, title: `${keyedList.title}: ${key}` };
  return measures.find(({ field }) => field === name);
}

/** The key of a member of a list: that of `provinces.punjab` is `punjab`. */
export function getMemberKey({ keyedList }: AlignedSource, measure: string): string | undefined {
  const prefix = `${keyedList?.field}.`;
  return keyedList && measure.startsWith(prefix) ? measure.slice(prefix.length) : undefined;
}

const MAX_LISTED = 20;

/** Why a name in columns is that of no source. */
export function explainSource(name: string, datasets: readonly Dataset[]): string {
  const dataset = datasets.find((each) => each.name === name);
  if (dataset?.shape === 'fund')
    return `${name} cannot be aligned: each fund has periods and classes of its own`;
  if (dataset) return `${name} cannot be aligned: it is reference data, which has no periods`;
  const sources = [...COMPUTED_SOURCES, ...datasets.filter(toAlignedSource)];
  const names = sources.map((each) => each.name);
  return `no dataset is called ${name}; there are ${formatNames(names, MAX_LISTED)}`;
}
