/**
 * Bond arithmetic: prices per 100, yields and rates in percent, days as day numbers.
 *
 * Supported: coupon bonds by the street formula, paid and compounded 1, 2, 4 or 12 times a year,
 * ACT/ACT (ICMA), ACT/365, ACT/360 or 30/360 (bond basis), with an odd first coupon by the day of
 * issue and an ex-dividend period, the last period compounded too; zeros; discount securities at a
 * simple yield. The tests compare all but 4 and 12 times a year with published figures, and all of it
 * with QuantLib. Curves are fitted to yields and to prices in `curve/`.
 *
 * Not supported: odd last coupons, a simple last period, accrued interest that is rounded or counted
 * by another day count than the yield (of Pakistan's 2012 auctions, yields match and accrued does
 * not); for bills, bank discount, investment and bond-equivalent rates and annual compounding.
 */
export * from './bond-figures.ts';
export * from './coupon-bond.ts';
export * from './coupon-schedule.ts';
export * from './day-count.ts';
export * from './discount-bill.ts';
export * from './isin.ts';
export * from './pricing-terms.ts';
export * from './quoted-price.ts';
export * from './settlement.ts';
