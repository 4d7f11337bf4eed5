import { DECLARED_KINDS } from './declared-kinds.ts';
import { FUND_KINDS } from './fund-kinds.ts';
import type { NonsenseKind } from './kind.ts';
import { QUOTE_KINDS } from './quote-kinds.ts';
import { SERIES_KINDS } from './series-kinds.ts';

/** All kinds of nonsense, as `docs/reference/nonsense.md` lists them. */
export const NONSENSE_KINDS: readonly NonsenseKind[] = [
  ...QUOTE_KINDS,
  ...SERIES_KINDS,
  ...FUND_KINDS,
  ...DECLARED_KINDS,
];
