import { COMPLETENESS_KINDS, FORMAT_KINDS } from './declared-file-kinds.ts';
import { KEY_KINDS, PERIOD_KINDS } from './declared-key-kinds.ts';
import { VALUE_KINDS } from './declared-value-kinds.ts';
import type { NonsenseKind } from './kind.ts';

/** Kinds of nonsense in files of datasets that publishers declare. */
export const DECLARED_KINDS: readonly NonsenseKind[] = [
  ...VALUE_KINDS,
  ...PERIOD_KINDS,
  ...KEY_KINDS,
  ...COMPLETENESS_KINDS,
  ...FORMAT_KINDS,
];
