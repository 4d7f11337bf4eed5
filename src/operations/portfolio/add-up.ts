import { FIGURE_DECIMALS } from '../../analytics/price-quotes.ts';
import { CURVE_FIT_VERSION } from '../../bonds/curve/index.ts';
import { roundFigure, sumDecimals } from '../../shared/decimals.ts';
import type { TenorValue } from '../curve/curve-operation.ts';
import { formatShift, type Position } from './portfolio-operation.ts';

/** What a request wants to know of its positions. */
export interface PortfolioQuestion {
  readonly positions: readonly Position[];
  readonly date?: string | undefined;
  readonly shifts: readonly number[];
  readonly keyRates: readonly TenorValue[];
}

/** The figures of a position, not rounded. */
export interface Figures {
  readonly cleanPrice: number | null;
  readonly marketValue: number;
  readonly accrued: number;
  readonly yield: number | null;
  readonly modifiedDuration: number | null;
  readonly dv01: number | null;
  readonly convexity: number | null;
  /** Undefined if there is no curve that reaches its maturity. */
  readonly rates: Rates | undefined;
}

/** How a value depends on the zero rates. */
export interface Rates {
  readonly effectiveDuration: number;
  readonly keyRates: readonly number[];
  readonly values: readonly number[];
}

export interface Valued {
  readonly face: number;
  readonly figures?: Figures;
  readonly reason: string | null;
}

/** Sums, and means by market value, of the positions that have a value; null if one of them lacks a figure. */
export function addUp(valued: readonly Valued[], question: PortfolioQuestion) {
  const known = valued.flatMap(({ face, figures }) => (figures ? [{ face, ...figures }] : []));
  const sum = (get: (figures: (typeof known)[number]) => number | null | undefined) => {
    const numbers = known.map(get);
    return numbers.length > 0 && numbers.every((each) => typeof each === 'number')
      ? numbers.reduce((total, each) => total + each, 0)
      : null;
  };
  const marketValue = sum((figures) => figures.marketValue);
  const mean = (get: (figures: (typeof known)[number]) => number | null | undefined) => {
    const total = sum((figures) => {
      const figure = get(figures);
      return typeof figure === 'number' ? figure * figures.marketValue : null;
    });
    return total === null || !marketValue ? null : total / marketValue;
  };
  const unvalued = valued.length - known.length;
  const withoutCurve = known.filter(({ rates }) => !rates).length;
  const reason = [
    ...(unvalued > 0 ? [`without ${unvalued} of ${valued.length} positions`] : []),
    ...(withoutCurve > 0 ? [`no curve for ${withoutCurve}`] : []),
  ].join('; ');
  const figures =
    marketValue === null
      ? undefined
      : {
          cleanPrice: null,
          marketValue,
          accrued: sum(({ accrued }) => accrued) ?? 0,
          yield: mean((each) => each.yield),
          modifiedDuration: mean((each) => each.modifiedDuration),
          dv01: sum(({ dv01 }) => dv01),
          convexity: mean(({ convexity }) => convexity),
          rates:
            withoutCurve > 0
              ? undefined
              : {
                  effectiveDuration: mean(({ rates }) => rates?.effectiveDuration) ?? Number.NaN,
                  keyRates: question.keyRates.map(
                    (_, index) => mean(({ rates }) => rates?.keyRates[index]) ?? Number.NaN,
                  ),
                  values: question.shifts.map(
                    (_, index) => sum(({ rates }) => rates?.values[index]) ?? Number.NaN,
                  ),
                },
        };
  const face = sumDecimals(known.map((position) => position.face));
  return formatFigures(face, figures, question, reason || null);
}

/** The fields that follow those that identify a position. */
export function formatFigures(
  face: number,
  figures: Figures | undefined,
  { keyRates, shifts }: PortfolioQuestion,
  reason: string | null,
) {
  const round = (value: number | null = null) =>
    roundFigure(Number.isFinite(value) ? value : null, FIGURE_DECIMALS);
  const { rates } = figures ?? {};
  return {
    face,
    cleanPrice: round(figures?.cleanPrice),
    marketValue: round(figures?.marketValue),
    accrued: round(figures?.accrued),
    yield: round(figures?.yield),
    modifiedDuration: round(figures?.modifiedDuration),
    dv01: round(figures?.dv01),
    convexity: round(figures?.convexity),
    effectiveDuration: round(rates?.effectiveDuration),
    keyRates: Object.fromEntries(
      keyRates.map(({ tenor }, index) => [tenor, round(rates?.keyRates[index])]),
    ),
    values: Object.fromEntries(
      shifts.map((shift, index) => [formatShift(shift), round(rates?.values[index])]),
    ),
    reason,
    fit: CURVE_FIT_VERSION,
  };
}
