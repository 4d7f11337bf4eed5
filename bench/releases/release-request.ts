import type { TestRequest } from '../../test/support/both-engines/arbitrary-requests.ts';

/** A request that both releases get. */
export interface ReleaseRequest extends TestRequest {
  readonly body?: string;
}
