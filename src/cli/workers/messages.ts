import type { UsageReport } from '../../http/rate-limiting/shared-limits.ts';

/** What a supervisor sends to a worker. */
export type SupervisorMessage =
  | {
      readonly kind: 'start';
      /** 0 for any free port. */
      readonly port: number;
      /** Whether the log is read on a terminal. */
      readonly isTTY: boolean;
    }
  /** The rate limit usage of another worker. */
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  | { readonly kind: 'stop' };

/** What a worker sends to its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'listening'; readonly address: string }
  /** It cannot serve, and exits. */
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string | undefined }
  | { readonly kind: 'usage'; readonly usage: UsageReport };
