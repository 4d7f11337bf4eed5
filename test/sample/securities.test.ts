import { expect, test } from 'bun:test';
import { getCouponSchedule } from '../../src/bonds/index.ts';
import { formatDay } from '../../src/calendar.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY } from '../../src/sample/market/days.ts';
import { generateSecurities } from '../../src/sample/market/generate-securities.ts';
import { createSampleYieldCurve } from '../../src/sample/market/yield-curve.ts';

const securities = generateSecurities(createSampleYieldCurve());

test('the symbol of a government security ends in its maturity', () => {
  for (const { symbol, type, maturity } of securities) {
    if (type === 'corporate') continue;
    const [year, month, day] = formatDay(maturity).split('-');
    expect(symbol).toEndWith(`${day}${month}${year?.slice(2)}`);
    expect(symbol).toMatch(type === 'tbill' ? /^ZZ\d\dTB\d{6}$/ : /^Z\d\d[A-Z]{3}\d{6}$/);
  }
});

test('a fixed rate never changes, and a floating one only on a coupon day', () => {
  for (const { coupon, maturity, issued, couponRate } of securities) {
    if (coupon === 'discount') continue;
    const first = Math.max(issued, FIRST_QUOTE_DAY);
    for (let day = first + 1; day < Math.min(maturity, LAST_QUOTE_DAY); day += 1) {
      if (couponRate(day) === couponRate(day - 1)) continue;
      expect(coupon.rate).toBe('floating');
      expect(getCouponSchedule({ maturity, frequency: coupon.frequency }, day).accruedDays).toBe(0);
    }
  }
});
