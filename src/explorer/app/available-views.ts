import type { DatasetEntry } from '../api/types.ts';
import { VIEWS, type View } from '../routing/view-route.ts';

/** What a token must open for a view to be of use. */
interface ViewRequirement {
  readonly shape: DatasetEntry['shape'];
  /** The scope that opens it. */
  readonly scope: string;
}

const VIEW_REQUIREMENTS: Readonly<Partial<Record<View, ViewRequirement>>> = {
  market: { shape: 'quotes', scope: 'quotes' },
  security: { shape: 'quotes', scope: 'quotes' },
  funds: { shape: 'fund', scope: 'funds' },
  payments: { shape: 'series', scope: 'alternate' },
};

/** Undefined where any token will do. */
export function getViewRequirement(view: View): ViewRequirement | undefined {
  return VIEW_REQUIREMENTS[view];
}

/** The views that can show something to a token that opens these datasets. */
export function getAvailableViews(catalogue: readonly Pick<DatasetEntry, 'shape'>[]): View[] {
  return VIEWS.filter((view) => {
    const need = VIEW_REQUIREMENTS[view];
    return !need || catalogue.some(({ shape }) => shape === need.shape);
  });
}
