import type { CashflowsRecord } from '../../client/generated.ts';

/** What positions receive in each year; shorts pay. A coupon that is not known counts as none, and is counted. */
export function sumCashFlows(
  flows: readonly CashflowsRecord[],
  faces: ReadonlyMap<string, number>,
) {
  const years = new Map<string, { coupon: number; principal: number }>();
  let unknownCount = 0;
  for (const { date, symbol, coupon, principal } of flows) {
    const year = date.slice(0, 4);
    const units = (faces.get(symbol) ?? 0) / 100;
    const sum = years.get(year) ?? { coupon: 0, principal: 0 };
    if (coupon === null) unknownCount++;
    years.set(year, {
      coupon: sum.coupon + (coupon ?? 0) * units,
      principal: sum.principal + principal * units,
    });
  }
  const rows = [...years].sort(([a], [b]) => (a < b ? -1 : 1));
  return { rows: rows.map(([year, sums]) => ({ year, ...sums })), unknownCount };
}
