/** A file to begin with: a mapping, or an adapter. */
export interface Start {
  readonly kind: 'mapping' | 'adapter';
  readonly text: string;
  /** The reasons for an adapter; empty for a mapping. */
  readonly reasons: readonly string[];
  /** Required fields that the file does not hold. */
  readonly missing: readonly string[];
  /** Questions that a person has to decide. */
  readonly questions: readonly string[];
}
