/** A quote, as the service answers it. */
export interface Quote {
  readonly date: string;
  readonly symbol: string;
  readonly isin: string;
  readonly type: string;
  readonly maturityDate: string;
  readonly maturityYears: number;
  readonly bidPrice: number;
  readonly askPrice: number;
  readonly lastPrice: number;
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly volume: number;
  readonly ytm: number;
  readonly duration: number;
}

/** On the board a yield of 0 means that it was not computed. */
export function hasYield({ ytm, maturityYears }: Quote): boolean {
  return ytm !== 0 && maturityYears > 0;
}

const TYPES: Readonly<Record<string, string>> = {
  tbill: 'T-bills',
  bond: 'Bonds',
  corporate: 'Corporate',
};

/** What a type is called; one that the page does not know goes by its own name. */
export function typeWords(type: string): string {
  return TYPES[type] ?? type;
}
