import { CHECK_KINDS } from '../../catalogue/model/consistency-check.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { hasScale } from './history-warnings.ts';
import { hasBoundedFigures, hasNonNegativeFigures } from './plausible-figures.ts';
import { WARNING_RULES, type WarningRule } from './warning-rules.ts';

/** The rules that can warn of a dataset. */
export function listApplicableRules(dataset: Dataset): WarningRule[] {
  const { shape, checks, fields } = dataset;
  const isSeries = shape === 'series';
  const hasKeyedList = isSeries && Object.values(fields).some(({ kind }) => kind === 'list');
  const others: Partial<Record<WarningRule, boolean>> = {
    'negative-figure': hasNonNegativeFigures(dataset),
    'implausible-figure': hasBoundedFigures(dataset),
    'scale-jump': isSeries && hasScale(dataset),
    'key-repeated': hasKeyedList,
    'period-gap': isSeries,
  };
  return Object.keys(WARNING_RULES)
    .filter(isWarningRule)
    .filter((rule) => {
      if (checks.some(({ name }) => name === rule)) return true;
      return others[rule] ?? (shape === 'quotes' && !Object.hasOwn(CHECK_KINDS, rule));
    });
}

export function isWarningRule(name: string): name is WarningRule {
  return Object.hasOwn(WARNING_RULES, name);
}
