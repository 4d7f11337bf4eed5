import { type DatasetRecord, defineReference } from '../model/dataset.ts';
import { day, percent } from '../model/field-builders.ts';
import { fieldsParameter, pageParameters, TABLE_PARAMETERS } from '../model/response-parameters.ts';
import { quotes } from './quotes.ts';

export const couponRates = defineReference({
  name: 'coupon-rates',
  title: 'Coupon rates of floaters',
  description:
    'The coupon rates of securities whose terms say floating, one record for each security and day from which a rate holds.',
  notes: [
    'A rate holds until the next one of its security, but not beyond the coupon period that it begins in.',
    'A period has its rates from the one that begins within four days of its first day on.',
  ],
  paths: ['/vintages/coupon-rates'],
  scope: quotes.scope,
  parameters: {
    symbol: quotes.parameters.symbol,
    ...pageParameters('states'),
    fields: fieldsParameter(['symbol', 'from', 'rate']),
    ...TABLE_PARAMETERS,
  },
  fields: {
    symbol: quotes.fields.symbol,
    from: day('Day from which the rate holds: that of the coupon before'),
    rate: percent('Coupon rate, a year'),
  },
  keyFields: ['symbol', 'from'],
  example: { symbol: 'Z03PFL051126', from: '2026-05-05', rate: 11.42 },
});

export type CouponRate = DatasetRecord<typeof couponRates>;
