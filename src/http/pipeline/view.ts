import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { HttpError } from '../http-error.ts';

/** What a request is a view of: everything that its response is made from is of this revision. */
export interface View {
  readonly revision: number;
  readonly catalogue: Catalogue;
  /** What names the revision; nothing names the newest one. */
  readonly namedBy: 'nothing' | 'cursor' | 'until' | 'number' | 'instant';
  /** Of `as_of` or `Accept-Datetime`: when it was published, or the instant before the first one. */
  readonly mementoDatetime?: Date;
  /** Why the request cannot have the view that it names; then this is the newest one. */
  readonly error?: HttpError;
}
