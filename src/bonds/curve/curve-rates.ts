/**
 * A curve of Svensson (1994), or of Nelson and Siegel (1987) if `beta3` is 0: continuously compounded zero
 * rates at a time in years. Betas are rates in percent, taus decay times in years.
 */
export interface CurveParameters {
  readonly beta0: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly beta3: number;
  readonly tau1: number;
  readonly tau2: number;
}

/** The shapes of a slope and of a hump at a time in decay times. */
function getLoadings(scaledTime: number) {
  // The slope tends to 1 and the hump to 0 as the time does.
  const slope = scaledTime === 0 ? 1 : -Math.expm1(-scaledTime) / scaledTime;
  return { slope, hump: slope - Math.exp(-scaledTime) };
}

/** The zero rate in percent, compounded continuously. */
export function getContinuousZero(curve: CurveParameters, years: number): number {
  const { slope, hump } = getLoadings(years / curve.tau1);
  const rate = curve.beta0 + curve.beta1 * slope + curve.beta2 * hump;
  return curve.beta3 === 0 ? rate : rate + curve.beta3 * getLoadings(years / curve.tau2).hump;
}

/** The present value of 1 at a time in years. */
export function getDiscountFactor(curve: CurveParameters, years: number): number {
  return Math.exp((-getContinuousZero(curve, years) / 100) * years);
}

/** The instantaneous forward rate in percent, compounded continuously. */
export function getForwardRate(curve: CurveParameters, years: number): number {
  const [first, second] = [years / curve.tau1, years / curve.tau2];
  const rate = curve.beta0 + (curve.beta1 + curve.beta2 * first) * Math.exp(-first);
  return curve.beta3 === 0 ? rate : rate + curve.beta3 * second * Math.exp(-second);
}

const PERIODS_PER_YEAR = 2;

/** The zero rate in percent, compounded twice a year. */
export function getZeroRate(curve: CurveParameters, years: number): number {
  const continuous = getContinuousZero(curve, years) / 100;
  return 100 * PERIODS_PER_YEAR * Math.expm1(continuous / PERIODS_PER_YEAR);
}

/**
 * The coupon rate in percent of a bond that is issued today at 100: paid twice a year, counted back
 * from its maturity, with a first coupon that is as much smaller as its period is shorter. Up to half
 * a year this is the simple rate.
 */
export function getParRate(curve: CurveParameters, years: number): number {
  const discountFactor = getDiscountFactor(curve, years);
  let annuity = 0;
  for (const { time, period } of getParSchedule(years))
    annuity += period * getDiscountFactor(curve, time);
  return (100 * (1 - discountFactor)) / annuity;
}

/** When a par bond pays, from the last coupon back, and the years that each coupon is for. */
export function getParSchedule(years: number): { time: number; period: number }[] {
  const count = Math.ceil(years * PERIODS_PER_YEAR - 1e-9);
  return Array.from({ length: count }, (_, index) => {
    const time = years - index / PERIODS_PER_YEAR;
    return { time, period: Math.min(time, 1 / PERIODS_PER_YEAR) };
  });
}
