import {
  findNewestQuotes,
  type PricedQuote,
  priceAt,
  type QuotesAsOf,
} from '../../analytics/price-quotes.ts';
import { getQuoteSource } from '../../analytics/quote-source.ts';
import {
  type CashFlows,
  type CurveParameters,
  computeKeyRates,
  computeShiftedValue,
  computeZSpread,
  getCashFlows,
  getDiscountCurve,
  getZeroRate,
  type SpreadFlows,
} from '../../bonds/curve/index.ts';
import { getRemainingCouponDays, getYearsToMaturity } from '../../bonds/index.ts';
import { parseDay } from '../../shared/calendar.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { addUp, formatFigures, type PortfolioQuestion, type Rates, type Valued } from './add-up.ts';
import type { UNVALUED_REASONS } from './portfolio-operation.ts';

type Reason = (typeof UNVALUED_REASONS)[number];

/** The records of the positions, and of all of them together. Throws an AbandonedError after an abort. */
export async function valuePositions(
  reader: StoreReader,
  { dataset, asOf }: Pick<QuotesAsOf, 'dataset' | 'asOf'>,
  question: PortfolioQuestion,
  signal: AbortSignal,
) {
  const { positions, date } = question;
  const [newest] = date
    ? [date]
    : await getQuoteSource(reader).findDates(dataset, undefined, { limit: 1 }, asOf);
  const names = positions.map(({ security }) => security);
  const find = await findNewestQuotes(reader, { dataset, asOf, names, notAfter: date }, signal);
  const valued = positions.map(({ security, face }) => {
    const quote = find(security);
    const priced = quote && priceAt(quote, quote.quotedPrice);
    const identity = {
      symbol: quote?.quote.symbol ?? security,
      isin: quote?.quote.isin ?? null,
      name: quote?.terms?.name ?? null,
      date: quote?.quote.date ?? null,
    };
    return { identity, face, ...valuePosition(priced, face, newest ?? '', question) };
  });
  return [
    ...valued.map(({ identity, face, figures, reason }) => ({
      kind: 'position',
      ...identity,
      ...formatFigures(face, figures, question, reason),
    })),
    {
      kind: 'total',
      symbol: null,
      isin: null,
      name: null,
      date:
        valued
          .map(({ identity, figures }) => (figures && identity.date) ?? '')
          .sort()
          .at(-1) || null,
      ...addUp(valued, question),
    },
  ];
}

function valuePosition(
  priced: PricedQuote | undefined,
  face: number,
  date: string,
  question: PortfolioQuestion,
): Omit<Valued, 'face'> & { readonly reason: Reason | null } {
  if (!priced) return { reason: 'not quoted' };
  const { quote, settlement, terms, security, floater, cleanPrice, figures } = priced;
  const { floaterFigures } = priced;
  const maturity = parseDay(quote.maturityDate);
  if (maturity <= settlement || quote.maturityDate <= date) return { reason: 'matured' };
  if (cleanPrice === null) return { reason: 'no price' };
  if (terms?.isFloating && !floater) return { reason: 'no rate' };
  if (!security && !floater) return { reason: 'no terms' };
  const { accrued, dirtyPrice, ytm } = figures ?? floaterFigures ?? {};
  if (accrued === undefined || dirtyPrice === undefined) return { reason: 'no figures' };
  const scale = face / 100;
  const held = holdSpread(priced, dirtyPrice);
  const rates = held && computeRates(held, question, scale);
  const {
    modifiedDuration = null,
    dv01,
    convexity = null,
  } = getSensitivities(priced, dirtyPrice, held) ?? {};
  return {
    figures: {
      cleanPrice,
      marketValue: scale * dirtyPrice,
      accrued: scale * accrued,
      yield: ytm ?? null,
      modifiedDuration,
      dv01: dv01 === undefined ? null : scale * dv01,
      convexity,
      rates,
    },
    reason: rates ? null : 'no curve',
  };
}

function computeRates(
  held: SpreadFlows,
  { shifts, keyRates }: PortfolioQuestion,
  scale: number,
): Rates {
  const { effectiveDuration, durations } = computeKeyRates(
    held,
    keyRates.map(({ years }) => years),
  );
  const values = shifts.map((shift) => scale * computeShiftedValue(held, shift / 100));
  return { effectiveDuration, keyRates: durations, values };
}

/** The flows of a security at its Z-spread; a floater is worth what it is at its next coupon, whatever rates are. */
function holdSpread(priced: PricedQuote, dirtyPrice: number): SpreadFlows | undefined {
  const { security, floater, settlement, curve } = priced;
  if (floater) {
    const [next = settlement] = getRemainingCouponDays(floater, settlement);
    const time = getYearsToMaturity(settlement, next);
    const discount = getDiscountCurve(curve, time);
    if (!discount) return undefined;
    const amount = dirtyPrice * (1 + getZeroRate(discount, time) / 200) ** (2 * time);
    const flows: CashFlows = { days: [next], years: [time], amounts: [amount] };
    return { flows, curve: discount, spread: 0 };
  }
  if (!security) return undefined;
  const flows = getCashFlows(security, settlement);
  const discount = getDiscountCurve(curve, flows.years.at(-1) ?? 0);
  const spread = discount && computeZSpread(flows, dirtyPrice, discount);
  return spread === undefined ? undefined : { flows, curve: discount as CurveParameters, spread };
}

/** The sensitivities to its yield; of a floater, to the zero rate of its next coupon. */
function getSensitivities({ figures }: PricedQuote, dirtyPrice: number, held?: SpreadFlows) {
  if (figures) return figures;
  const [time] = held?.flows.years ?? [];
  if (!held || time === undefined) return undefined;
  const growth = 1 + getZeroRate(held.curve, time) / 200;
  const modifiedDuration = time / growth;
  const convexity = (time * (time + 0.5)) / growth ** 2;
  return { modifiedDuration, convexity, dv01: (modifiedDuration * dirtyPrice) / 10_000 };
}
