import { defineCheck } from '../model/consistency-check.ts';
import { type DatasetRecord, defineDataset } from '../model/dataset.ts';
import {
  amountIn,
  choice,
  day,
  identifier,
  nullable,
  percent,
  price,
  years,
} from '../model/field-builders.ts';
import { parameter } from '../model/parameter.ts';
import { QUOTES_SCHEDULE } from '../model/publication-schedule.ts';
import { fieldsParameter, pageParameters, TABLE_PARAMETERS } from '../model/response-parameters.ts';

const faceValueAmount = amountIn('face value');

export const INSTRUMENT_TYPES = ['tbill', 'bond', 'corporate'] as const;
const MAX_SYMBOLS = 50;

const fields = {
  date: day('Date of the quote'),
  symbol: identifier('Exchange symbol or code of the security'),
  isin: identifier('International securities identification number'),
  type: choice('Instrument type', INSTRUMENT_TYPES),
  maturityDate: day('Maturity date'),
  maturityYears: years('Years to maturity'),
  bidPrice: price('Bid price, clean'),
  askPrice: price('Ask price, clean'),
  lastPrice: price('Last traded price'),
  bidVolume: faceValueAmount('Volume available at the bid'),
  askVolume: faceValueAmount('Volume available at the ask'),
  volume: faceValueAmount('Total trading volume'),
  ytm: percent('Yield to maturity'),
  duration: years('Modified duration'),
};

const basisPoints = amountIn('basis points');

/** Columns that tables may have besides the fields of quotes; each is null if it cannot be known. */
export const TABLE_FIGURES = {
  spread: nullable(basisPoints('Yield over the government curve of the day, as in /analytics')),
  ytmChange: nullable(basisPoints('Change of the yield')),
  lastPriceChange: nullable(price('Change of the last price')),
};

const TABLE_FIELDS = [...Object.keys(fields), ...Object.keys(TABLE_FIGURES)];

/** Parameters that change a table. JSON, which has the records as published, does not take them. */
const QUOTE_TABLE_PARAMETERS = {
  order: parameter.choice(
    'Orders the rows of the page by this field, with a minus before it from the greatest to the least. For every format but JSON',
    TABLE_FIELDS.flatMap((name) => [name, `-${name}`]),
  ),
  compare: parameter.day(
    'Adds how yields and last prices have changed since that date. For every format but JSON',
    '2026-05-29',
  ),
};

export const quotes = defineDataset({
  name: 'quotes',
  shape: 'quotes',
  title: 'Bill and bond quotes',
  description:
    'Daily quotes of government and corporate bills and bonds: the latest snapshot, one date, or a range of dates. Newest date first, then by symbol.',
  notes: [
    'Bid and ask are clean prices, and all prices are per 100 of face value.',
    'A price of 0 means that there is no order, a yield of 0 that it was not computed.',
    'Read a maturity from maturityDate, never from the symbol: some symbols disagree with the listed maturity.',
    'The type bond holds every government security that is no T-bill: sukuk and floaters too, some of them priced at a discount like a bill.',
    'Matured securities stay in the data.',
  ],
  // The specification uses both paths and calls neither canonical.
  paths: ['/2.0/bnb/quote', '/2.0/bnb/quotes'],
  scope: 'quotes',
  hasMessage: false,
  schedule: QUOTES_SCHEDULE,
  parameters: {
    symbol: parameter.list(
      'Symbols or ISINs of securities; letter case is ignored. Without a date, the newest quote of each',
      { items: 'symbols or ISINs', max: MAX_SYMBOLS, example: 'ZZ12TB031226' },
    ),
    date: parameter.day(
      'One date; not together with from or to. Without any of the three, the newest date',
      '2026-06-30',
    ),
    from: parameter.day('First date of a range, inclusive; open-ended without to', '2026-06-01'),
    to: parameter.day('Last date of a range, inclusive; open-ended without from', '2026-06-30'),
    type: parameter.choice(
      'Only this instrument type; all is no filter',
      [...INSTRUMENT_TYPES, 'all'],
      'all',
    ),
    sort: parameter.choice(
      'Order of a range: desc is newest date first, then by symbol; asc is the reverse, and needs from or to',
      ['desc', 'asc'],
      'desc',
    ),
    ...pageParameters('records'),
    ...QUOTE_TABLE_PARAMETERS,
    fields: fieldsParameter(TABLE_FIELDS),
    ...TABLE_PARAMETERS,
  },
  fields,
  checks: [defineCheck('bid-above-ask', 'bidPrice', ['askPrice'])],
  chart: { kind: 'curve', fields: ['maturityYears', 'ytm'], total: null },
  example: {
    date: '2026-06-30',
    symbol: 'ZZ12TB031226',
    isin: 'ZZ0624197586',
    type: 'tbill',
    maturityDate: '2026-12-03',
    maturityYears: 0.424658,
    bidPrice: 95.4545,
    askPrice: 95.4948,
    lastPrice: 95.4869,
    bidVolume: 10000000,
    askVolume: 55000000,
    volume: 470000000,
    ytm: 11.129927,
    duration: 0.405492,
  },
});

export type Quote = DatasetRecord<typeof quotes>;
