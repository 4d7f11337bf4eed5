import { system } from '../../shared/system.ts';
import { createPrincipal } from '../../tokens/token-registry.ts';
import type { Client } from '../background/schedule-job.ts';
import type { RateAllowance } from '../rate-limiting/rate-limiter.ts';
import { type Phase, PhaseTimer } from '../request/phase-timer.ts';
import { getRequestId } from '../request/request-headers.ts';
import type { RequestContext } from './request-context.ts';
import type { Route } from './route.ts';

/** The part of Bun's server that handling a request needs. */
export type ConnectionControl = Pick<Bun.Server<undefined>, 'requestIP' | 'timeout'>;

/** The sender of a request, with the request. */
export interface RequestingClient extends Client {
  readonly request: Request;
  readonly headers: Headers;
}

/** The principal of a request without a token, or before its token is accepted. */
export const ANONYMOUS = createPrincipal('', { scopes: new Set(), expiresAtMs: 0 });

/** A request on its way to a response. */
export class Exchange implements RequestingClient {
  readonly startedMs = system.monotonicNow();
  readonly method: string;
  readonly headers: Headers;
  readonly requestId: string;
  /** Both are set once the token is accepted. */
  principal = ANONYMOUS;
  allowance: RateAllowance | null = null;
  /** Created when something is waited for, which cached responses never do. */
  timer: PhaseTimer | null = null;
  private address: string | null = null;

  constructor(
    readonly context: RequestContext,
    readonly request: Request,
    /** Absent where no route has the path. */
    readonly route: Route | undefined,
    readonly server: ConnectionControl | undefined,
  ) {
    this.method = request.method;
    this.headers = request.headers;
    this.requestId = getRequestId(this.headers);
  }

  /** Created when it is first used, which cached responses never do. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  charge(requests: number): void {
    this.allowance?.bucket.take(requests);
  }

  /** Looking it up takes a while, so that it is done only where it is needed. */
  getAddress(): string {
    this.address ??= this.context.admission.findClientAddress(
      this.server?.requestIP(this.request)?.address ?? '',
      this.headers,
    );
    return this.address;
  }

  enterPhase(phase: Phase): void {
    if (!this.timer) {
      this.timer = new PhaseTimer(this.startedMs);
      // Once the connection is closed, it is not known any more.
      this.getAddress();
    }
    this.timer.enter(phase, system.monotonicNow());
  }

  recordEncoding(ms: number): void {
    this.timer?.move(ms, 'read', 'encode');
  }
}
