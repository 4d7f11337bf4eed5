import { type DatasetRecord, defineReference } from '../model/dataset.ts';
import type { Field } from '../model/field.ts';
import { choice, countOf, day, flag, nullable, percent, text } from '../model/field-builders.ts';
import { createListParameters } from '../model/response-parameters.ts';
import { holidays } from './holidays.ts';
import { quotes } from './quotes.ts';

/** How the price of a security follows from its yield. */
export const PRICING_METHODS = ['discount', 'zero', 'coupon', 'bank-discount'] as const;

const YIELD_KINDS = ['compound', 'simple'] as const;

/** Day counts; the first is the default. */
export const DAY_COUNTS = ['ACT/ACT', 'ACT/365', 'ACT/360', '30/360'] as const;

const COUPON_FREQUENCIES = [1, 2, 4, 12] as const;
export type CouponFrequency = (typeof COUPON_FREQUENCIES)[number];

const MAX_DAYS = 60;

const CONVENTIONS = [
  ...(['dayCount', 'exDividendDays', 'settlementDays', 'calendar'] as const),
  ...(['firstCouponDate', 'lastCouponDate', 'endOfMonth'] as const),
  ...(['lastPeriodYield', 'firstPeriodYield', 'accrual'] as const),
] as const;

export const securities = defineReference({
  name: 'securities',
  title: 'Terms and names of securities',
  description:
    'Reference data of securities, one record for each symbol: who issued it, when, and what coupons it pays.',
  notes: [
    'What is unknown is null. A file may leave columns out: what it does not have stays as it is.',
    'Coupon rates and frequencies, pricing methods and issue dates in files of quotes are published here.',
    'The terms of a symbol that has no record here are those of a record with its ISIN.',
    'A record whose symbol is an ISIN came without one; it describes the quoted symbols of that ISIN that have no record.',
    'The coupon rate of a floater is the current one.',
    'Days are counted ACT/ACT if the day count is null; 30/360 is the bond basis of ISDA.',
    'Business days are weekdays that are no holidays of the calendar. Without a calendar, ex-dividend days are days of any kind.',
  ],
  paths: ['/2.0/bnb/securities'],
  scope: quotes.scope,
  parameters: createListParameters([
    ...['symbol', 'isin', 'type', 'maturityDate', 'firstDate', 'lastDate', 'name', 'issuer'],
    ...['issueDate', 'couponRate', 'couponFrequency', 'pricing', 'floating'],
    ...CONVENTIONS,
  ]),
  fields: {
    symbol: quotes.fields.symbol,
    isin: nullable(quotes.fields.isin),
    name: nullable(text('Name of the security')),
    issuer: nullable(text('Who issued it')),
    issueDate: nullable(day('Day of issue')),
    couponRate: nullable(couponRate('Coupon rate, a year; of a floater, the current one')),
    couponFrequency: nullable(
      couponFrequency('How often coupons are paid; of a zero, how often its yield is compounded'),
    ),
    pricing: nullable(
      choice(
        'How it is priced: discount (at a simple yield), zero (without coupons, at a compounded yield), coupon, or bank-discount (at a discount rate of its face value)',
        PRICING_METHODS,
      ),
    ),
    floating: nullable(flag('Whether the coupon rate follows a reference rate')),
    dayCount: nullable(choice('How days of interest are counted', DAY_COUNTS)),
    exDividendDays: nullable(
      dayNumber('How many days before a coupon day its ex-dividend period begins'),
    ),
    settlementDays: nullable(dayNumber('How many business days after a trade it is settled')),
    calendar: nullable(holidays.fields.calendar),
    firstCouponDate: nullable(day('Day of the first coupon')),
    lastCouponDate: nullable(day('Day of the last coupon before maturity')),
    endOfMonth: nullable(
      flag(
        'Whether all coupon days are the last of their months if maturity, or the last coupon, is',
      ),
    ),
    lastPeriodYield: nullable(
      choice('Whether the yield is compounded or simple in the last period', YIELD_KINDS),
    ),
    firstPeriodYield: nullable(
      choice('The same of the time to the next coupon, in every period', YIELD_KINDS),
    ),
    accrual: nullable(
      choice('equal: coupons are equal, and only interest in between is by dayCount', ['equal']),
    ),
  },
  addedFields: CONVENTIONS.map((field) => ({ field, revision: 0 })),
  alternateKey: 'isin',
  example: {
    symbol: quotes.example.symbol,
    isin: quotes.example.isin,
    name: '12-month Treasury bill, 3 Dec 2026',
    issuer: 'Government of Zedland',
    issueDate: '2025-12-04',
    couponRate: null,
    couponFrequency: null,
    pricing: 'discount',
    floating: false,
    dayCount: null,
    exDividendDays: null,
    settlementDays: 1,
    calendar: holidays.example.calendar,
    firstCouponDate: null,
    lastCouponDate: null,
    endOfMonth: null,
    lastPeriodYield: null,
    firstPeriodYield: null,
    accrual: null,
  },
});

export type SecurityRecord = DatasetRecord<typeof securities>;

function couponRate(description: string): Field<number> {
  const { isValid, schema, ...field } = percent(description);
  return {
    ...field,
    requirement: 'a finite number of percent, 0 or more',
    schema: { ...schema, minimum: 0 },
    isValid: (value): value is number => isValid(value) && value >= 0,
  };
}

function dayNumber(description: string): Field<number> {
  const { schema, ...field } = countOf('days')(description);
  return {
    ...field,
    requirement: `a whole number of days from 0 to ${MAX_DAYS}`,
    schema: { ...schema, minimum: 0, maximum: MAX_DAYS },
    isValid: (value): value is number =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_DAYS,
  };
}

function couponFrequency(description: string): Field<CouponFrequency> {
  const { schema, ...field } = countOf('coupons a year')(description);
  return {
    ...field,
    requirement: '1, 2, 4 or 12 coupons a year',
    schema: { ...schema, minimum: 1, maximum: 12 },
    isValid: (value): value is CouponFrequency =>
      COUPON_FREQUENCIES.includes(value as CouponFrequency),
  };
}
