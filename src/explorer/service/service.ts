import { createContext } from 'preact';
import type { Api } from './api.ts';
import type { Entry, Revision } from './catalogue.ts';

/** What every view needs of the service. */
export interface Service {
  readonly api: Api;
  /** Every dataset that the token opens. */
  readonly catalogue: readonly Entry[];
  /** What was published up to the instant that is looked at, newest first. */
  readonly revisions: readonly Revision[];
  /** Grows whenever everything is to be asked anew. */
  readonly turn: number;
  /** Says that the service did not answer. */
  reportAway(): void;
}

export const ServiceContext = createContext<Service>(undefined as never);
