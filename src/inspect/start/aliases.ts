import { removeAccents } from '../../shared/remove-accents.ts';

/** Names that sources use for a field, besides its name and its description. */
const ALIASES = {
  date: 'date, trade date, quote date, valuation date, trading date, business date, as of date, data base, reporting date, close of business date, price date',
  period: 'month, period, quarter, reporting period, as of month',
  symbol:
    'sym, symbol, ticker, code, security, security code, security id, scrip, scrip code, instrument, bond, kuerzel, kurzel, codigo, wkn, cusip, titulo',
  isin: 'isin, isin code, isin no',
  type: 'type, instrument type, security type',
  maturityDate: 'maturity, maturity date, due date, data vencimento',
  maturityYears: 'years to maturity, residual maturity, remaining years, remaining maturity, ttm',
  // Tesouro names prices from the side of the investor, who buys at the ask.
  bidPrice: 'bid, bid price, buy price, best bid, geldkurs, pu venda, pu venda manha',
  askPrice: 'ask, ask price, sell price, best ask, briefkurs, pu compra, pu compra manha',
  lastPrice:
    'last, price, last price, clean price, last traded price, last trade price, trade price, settlement price, pu, price per100, mid price, average price, vwap',
  bidVolume: 'bid volume, bid size',
  askVolume: 'ask volume, ask size',
  volume: 'volume, traded volume, total volume, traded quantity, total traded quantity',
  ytm: 'yield, yield percent, yield to maturity, last yield, last traded yield percent, lty, redemption yield, high rate, auction rate, cut off yield, weighted average yield, mid yield',
  duration: 'duration, modified duration, mod duration',
  couponRate:
    'coupon, coupon rate, coupon percent, coupon pct, rate of interest, interest rate, int rate',
  couponFrequency: 'frequency, coupon frequency, payments per year',
  fund_id: 'fund, fund id, fund name, fund code, scheme, scheme name, scheme code',
  class: 'class, asset class, asset type, asset category, category, instrument type',
  value:
    'percent, weight, weight percent, percent net asset, percent nav, percentage, allocation, percent total, percent aum, share, portfolio percentage, portfolio percent',
  name: 'name, security name, description, security description, instrument name, name of instrument',
  issuer: 'issuer, issuer name, company, company name',
  issueDate: 'issue date, date of issue, issued',
};

/** Words that say nothing about which figure a column holds. */
const STOP_WORDS = new Set(
  'of the in and to by a an at or for per no nr number rs pkr usd eur inr brl million mn billion bn crore lakh thousand as on 100 000'.split(
    ' ',
  ),
);

/** Spellings of one word, and the same word in other languages. */
const SPELLINGS = {
  ask: 'offer asked brief',
  bid: 'geld',
  last: 'ltp close closing letzter letzte',
  price: 'px kurs cours preco precio',
  volume: 'vol qty quantity turnover umsatz',
  yield: 'rendite taxa rendement ytm',
  date: 'datum data fecha day',
  maturity: 'mature matures redemption vencimento vencimiento falligkeit echeance scadenza',
  coupon: 'kupon cupom',
  withdrawal: 'withdrawl wtl',
  government: 'govt gov',
};

const WORDS_BY_SPELLING = new Map(
  Object.entries(SPELLINGS).flatMap(([word, spellings]) =>
    spellings.split(' ').map((spelling) => [spelling, word] as const),
  ),
);

const KEYS_BY_FIELD = new Map(
  Object.entries(ALIASES).map(([field, names]) => [field, names.split(', ').map(toKey)]),
);

/** Whether a column has the words of a field's name or description, or of an alias of it, or more. */
export function isAlias(field: string, description: string, column: string, isLike = false) {
  const key = toKey(column);
  const words = key.split(' ');
  const keys = [toKey(field), toKey(description), ...(KEYS_BY_FIELD.get(field) ?? [])];
  const isPart = (other: string) => other.split(' ').every((word) => words.includes(word));
  return key !== '' && (keys.includes(key) || (isLike && keys.some(isPart)));
}

/** The words of a name in one order, without units, plurals, accents and letter case. */
function toKey(name: string): string {
  const words = removeAccents(name.replace(/([a-z\d])([A-Z])/g, '$1 $2'))
    .toLowerCase()
    .replace(/\b(inter|intra|pre)[- ](?=[a-z])/g, '$1')
    .replaceAll('%', ' percent ')
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !STOP_WORDS.has(word));
  return [...new Set(words.map(toRoot))].toSorted().join(' ');
}

function toRoot(word: string): string {
  const singular = word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
  return WORDS_BY_SPELLING.get(word) ?? WORDS_BY_SPELLING.get(singular) ?? singular;
}
