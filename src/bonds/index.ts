/**
 * Bond arithmetic: prices per 100, yields and rates in percent, days as day numbers.
 *
 * Supported: coupon bonds by the street formula, paid and compounded 1, 2, 4 or 12 times a year,
 * ACT/ACT (ICMA), ACT/365, ACT/360 or 30/360 (bond basis), with odd first and last coupons, an
 * end-of-month rule, equal coupons that accrue by a day count, and an ex-dividend period; yields that
 * are compounded, or simple in the last period or up to the next coupon; floaters at their current
 * rate; zeros; discount securities at a simple yield or a discount rate. The tests compare them with
 * published figures, and with QuantLib. Curves are fitted to yields and to prices in `curve/`.
 *
 * Not supported: accrued interest that is rounded; of bills, investment and bond-equivalent rates and
 * annual compounding.
 */
export * from './bond-figures.ts';
export * from './coupon-bond.ts';
export * from './coupon-schedule.ts';
export * from './day-count.ts';
export * from './discount-bill.ts';
export * from './floating-rate.ts';
export * from './isin.ts';
export * from './pricing-terms.ts';
export * from './quoted-price.ts';
export * from './settlement.ts';
