import { CHECK_KINDS } from '../../catalogue/model/consistency-check.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { hasScale } from './period-warnings.ts';
import { findFigureRules } from './plausible-figures.ts';
import { listKnownCodes } from './record-warnings.ts';
import { listComparedMeasures } from './unusual-changes.ts';
import { WARNING_RULES, type WarningRule } from './warning-rules.ts';

/** The rules that can warn about a dataset. */
export function listApplicableRules(dataset: Dataset): WarningRule[] {
  const { shape, checks, fields, declared, declaration } = dataset;
  const isSeries = shape === 'series';
  const hasKeyedList = isSeries && Object.values(fields).some(({ kind }) => kind === 'list');
  const isFund = shape === 'fund';
  const measures = listComparedMeasures(dataset);
  const hasSeries = dataset.declared !== undefined && (declaration?.dimensions?.length ?? 0) > 0;
  const others: Partial<Record<WarningRule, boolean>> = {
    ...findFigureRules(dataset),
    ...(declared && { 'negative-figure': true }),
    'unusual-change': isSeries,
    'change-above-max': measures.some(({ maxChange }) => maxChange !== undefined),
    'unchanged-above-max': measures.some(({ maxUnchanged }) => maxUnchanged !== undefined),
    'figures-shifted': hasSeries,
    'decimals-lost': hasSeries,
    'columns-equal': hasSeries && measures.length > 1,
    'figures-reverted': isSeries,
    ...(declared && { 'weekend-date': dataset.period?.kind.hasHolidays === true }),
    'series-missing': hasSeries && declaration?.coverage !== 'open',
    'code-variant': hasSeries,
    'code-total': hasSeries,
    'one-value': hasSeries || shape === 'quotes',
    'unknown-convention': shape === 'quotes' || 'dayCount' in fields,
    'unknown-calendar': 'settlementDays' in fields,
    'case-variant': shape === 'quotes' || hasKeyedList || isFund,
    'scale-jump': isSeries && (declared !== undefined || hasScale(dataset) || hasKeyedList),
    'columns-swapped': isSeries,
    'figures-repeated': (isSeries && !dataset.period?.kind.hasHolidays) || hasSeries || isFund,
    'all-zero': isSeries,
    'unknown-key': hasKeyedList,
    'key-repeated': hasKeyedList,
    'period-gap': isSeries,
    'period-overwritten': isSeries,
    'unknown-code': listKnownCodes(dataset).length > 0,
    'quarter-by-months': dataset.period?.kind.name === 'quarterly',
    'measure-missing': dataset.declared !== undefined,
    'unknown-mark': isSeries,
    'period-label': isFund,
    'new-class': isFund,
    'unknown-frequency': isFund,
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
