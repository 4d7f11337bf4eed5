import { expect, test } from 'bun:test';
import { generateMarket } from '../../../scripts/sample/market/generate-market.ts';
import { fitMarketCurve } from '../../../src/bonds/curve/index.ts';
import { getSettlementDay, toPricingTerms } from '../../../src/bonds/index.ts';
import { parseDay } from '../../../src/shared/calendar.ts';

const BETAS = ['beta0', 'beta1', 'beta2', 'beta3'] as const;

test('the betas of a year of the sample are small, and do not jump with the order of decays', () => {
  const { quotesToMay, securitiesToMay } = generateMarket();
  const terms = new Map(
    securitiesToMay.map((entry) => [
      entry.symbol,
      { ...toPricingTerms(entry), isFloating: entry.floating === true },
    ]),
  );
  const days = Map.groupBy(
    quotesToMay.filter(({ date, type }) => date >= '2025-06-01' && type !== 'corporate'),
    ({ date }) => date,
  );
  const curves = [...days].sort().map(([date, quotes]) => {
    const settlement = getSettlementDay(parseDay(date));
    const curve = fitMarketCurve(quotes, (symbol) => terms.get(symbol), settlement);
    expect(curve.method).toBe('svensson');
    return BETAS.map((name) => curve.parameters?.[name] ?? Infinity);
  });
  const jumps = curves
    .slice(1)
    .map((betas, day) =>
      Math.max(...betas.map((beta, index) => Math.abs(beta - (curves[day]?.[index] ?? 0)))),
    );
  expect(curves.length).toBeGreaterThan(250);
  // Without separated decays it was 22, and 41.
  expect(Math.max(...curves.flat().map(Math.abs))).toBeLessThan(18);
  expect(Math.max(...jumps)).toBeLessThan(18);
});
