import type { UsageReport } from '../../http/rate-limiting/shared-limits.ts';

/** What a supervisor tells a worker. */
export type SupervisorMessage =
  | {
      readonly kind: 'serve';
      /** 0 where the worker is to find a free one. */
      readonly port: number;
      /** Whether people read the log, on a terminal. */
      readonly isForPeople: boolean;
    }
  /** What another worker let through. */
  | { readonly kind: 'charge'; readonly there: UsageReport }
  | { readonly kind: 'stop' };

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'serving'; readonly address: string }
  /** It cannot serve, and ends. */
  | { readonly kind: 'refused'; readonly message: string; readonly code?: string | undefined }
  | { readonly kind: 'let through'; readonly here: UsageReport };
