import { splitWords } from './split-words.ts';

/** Names that sources give a field besides its own, in the words of `splitWords`. */
const ALIASES: Readonly<Record<string, string>> = {
  date: 'date, trade date, quote date, valuation date, trading date, business date, as of date, data base',
  period: 'month, period, quarter, reporting period, as of month',
  symbol:
    'sym, symbol, ticker, code, security, security code, security id, scrip, scrip code, instrument, bond, kuerzel, kurzel, codigo, wkn, cusip, security name, security description, instrument name, name of instrument, titulo',
  isin: 'isin, isin code',
  type: 'type, instrument type, security type',
  maturityDate: 'maturity, maturity date, due date, data vencimento',
  maturityYears: 'years to maturity, residual maturity, remaining years, remaining maturity, ttm',
  // Prices of Tesouro are named from the investor's side, who buys at the ask.
  bidPrice: 'bid, bid price, buy price, best bid, geldkurs, pu venda, pu venda manha',
  askPrice: 'ask, ask price, sell price, best ask, briefkurs, pu compra, pu compra manha',
  lastPrice:
    'last, price, last price, clean price, last traded price, last trade price, trade price, settlement price, pu, price per100, mid price, average price, vwap',
  bidVolume: 'bid volume, bid size',
  askVolume: 'ask volume, ask size',
  volume: 'volume, traded volume, total volume, traded quantity, total traded quantity',
  ytm: 'yield, yield to maturity, last yield, last traded yield percent, lty, redemption yield, high rate, auction rate, cut off yield, weighted average yield, mid yield',
  duration: 'duration, modified duration, mod duration',
  couponRate:
    'coupon, coupon rate, coupon percent, coupon pct, rate of interest, interest rate, int rate',
  couponFrequency: 'frequency, coupon frequency, payments per year',
  fund_id: 'fund, fund id, fund name, fund code, scheme, scheme name, scheme code',
  class: 'class, asset class, asset type, asset category, category, instrument type',
  value:
    'percent, weight, weight percent, percent net asset, percent nav, percentage, allocation, percent total, percent aum, share',
  name: 'name, security name, description, security description, fund name, scheme name',
  issuer: 'issuer, issuer name, company, company name',
  issueDate: 'issue date, date of issue, issued',
};

const KEYS_BY_FIELD = new Map(
  Object.entries(ALIASES).map(([field, names]) => [field, new Set(names.split(', ').map(toKey))]),
);

function toKey(name: string): string {
  return splitWords(name).toSorted().join(' ');
}

export function isAlias(field: string, name: string): boolean {
  return KEYS_BY_FIELD.get(field)?.has(toKey(name)) ?? false;
}
