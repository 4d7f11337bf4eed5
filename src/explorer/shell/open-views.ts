import { VIEWS, type View } from '../address/place.ts';
import type { Entry } from '../service/catalogue.ts';

/** What a token must open for a view to be of use. */
interface Need {
  readonly shape: Entry['shape'];
  /** The scope that opens it. */
  readonly scope: string;
}

const NEEDS: Readonly<Partial<Record<View, Need>>> = {
  market: { shape: 'quotes', scope: 'quotes' },
  security: { shape: 'quotes', scope: 'quotes' },
  funds: { shape: 'fund', scope: 'funds' },
  payments: { shape: 'series', scope: 'alternate' },
};

/** Undefined where any token will do. */
export function needOf(view: View): Need | undefined {
  return NEEDS[view];
}

/** The views that can show something to a token that opens these datasets. */
export function openViews(catalogue: readonly Pick<Entry, 'shape'>[]): View[] {
  return VIEWS.filter((view) => {
    const need = NEEDS[view];
    return !need || catalogue.some(({ shape }) => shape === need.shape);
  });
}
