/** What the thread of a scrub says. */
export type ScrubMessage =
  /** Since the last message of this kind. */
  | { readonly kind: 'progress'; readonly records: number; readonly faults: readonly string[] }
  | { readonly kind: 'finished' }
  /** The store could not be read: nothing is known of it. */
  | { readonly kind: 'failed'; readonly cause: string };
