import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { system } from '../../shared/system.ts';
import { createPrincipal, type Principal } from '../../tokens/principal.ts';
import type { RateAllowance } from '../rate-limiting/rate-limiter.ts';
import { RequestTarget } from '../request/parse-query.ts';
import { type Phase, PhaseTimer } from '../request/phase-timer.ts';
import {
  continueTrace,
  getRequestId,
  negotiateFormat,
  prefersExactCount,
  type Trace,
} from '../request/request-headers.ts';
import type { Database } from './database.ts';
import type { Server } from './server.ts';

/** The part of Bun's server that handling a request needs. */
export type ConnectionControl = Pick<Bun.Server<undefined>, 'requestIP' | 'timeout'>;

/** The part of a route that is logged. */
interface LoggedRoute {
  readonly path: string;
  readonly isProbe?: true;
  readonly isPolled?: true;
}

/** The principal of a request without a token, or before its token is accepted. */
export const ANONYMOUS = createPrincipal('', { scopes: new Set(), expiresAtMs: 0 });

/** A request on its way to a response, and the client that sent it. */
export class Exchange {
  readonly startedMs = system.monotonicNow();
  /** The one that is there when the request arrives, whatever takes its place meanwhile. */
  readonly database: Database;
  readonly method: string;
  readonly headers: Headers;
  readonly requestId: string;
  /** The trace that the client has begun. */
  readonly trace: Trace | undefined;
  /** Both are set once the token is accepted. */
  principal: Principal = ANONYMOUS;
  allowance: RateAllowance | null = null;
  /** Whether its token or link is missing or invalid, or there were too many such from its address. */
  isUnauthenticated = false;
  /** Created when something is waited for, which cached responses never do. */
  timer: PhaseTimer | null = null;
  #address: string | null = null;
  #target: RequestTarget | undefined;
  #acceptedFormat: ResponseFormatName | undefined;

  constructor(
    readonly server: Server,
    readonly request: Request,
    /** Absent if no route has the path. */
    readonly route: LoggedRoute | undefined,
    readonly connection?: ConnectionControl,
  ) {
    this.database = server.database;
    this.method = request.method;
    this.headers = request.headers;
    this.requestId = getRequestId(this.headers);
    const traceParent = this.headers.get('traceparent');
    this.trace = traceParent === null ? undefined : continueTrace(traceParent);
  }

  /** Created when it is first used, which cached responses never do. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  get target(): RequestTarget {
    this.#target ??= new RequestTarget(this.request.url);
    return this.#target;
  }

  /** The format that `Accept` names; the parameter `format` wins over it. */
  get acceptedFormat(): ResponseFormatName {
    this.#acceptedFormat ??= negotiateFormat(this.headers.get('accept'));
    return this.#acceptedFormat;
  }

  /** Whether `Prefer` asks how many records match. */
  get includesTotal(): boolean {
    return prefersExactCount(this.headers.get('prefer'));
  }

  /** The token that was sent, as it was sent or as a password. */
  getCredential(): string | undefined {
    const authorization = this.headers.get('authorization') ?? '';
    const [, scheme = '', text] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
    if (text === undefined || scheme.toLowerCase() !== 'basic') return text;
    const credentials = Buffer.from(text, 'base64').toString();
    return credentials.slice(credentials.indexOf(':') + 1);
  }

  charge(requests: number): void {
    this.allowance?.bucket.take(requests);
  }

  /** Looking it up takes a while, so that it is done only if it is needed. */
  getAddress(): string {
    this.#address ??= this.server.admission.findClientAddress(
      this.connection?.requestIP(this.request)?.address ?? '',
      this.headers,
    );
    return this.#address;
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

  /** A request of the same client for another target, inside the server. */
  forTarget(target: string, options: TargetOptions = {}): Exchange {
    return new InnerExchange(this, target, options);
  }
}

export interface TargetOptions {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD';
  /** Such as `Accept` and `Accept-Datetime`. None by default. */
  readonly headers?: Headers;
}

/** It is the client of another exchange that waits and is charged. */
class InnerExchange extends Exchange {
  override readonly requestId: string;

  constructor(
    private readonly outer: Exchange,
    target: string,
    { method = 'GET', headers = new Headers() }: TargetOptions,
  ) {
    const server = { ...outer.server, database: outer.database };
    super(server, new Request(`http://localhost${target}`, { method, headers }), undefined);
    this.principal = outer.principal;
    this.requestId = outer.requestId;
  }

  override getAddress(): string {
    return this.outer.getAddress();
  }

  override getCredential(): string | undefined {
    return this.outer.getCredential();
  }

  override get signal(): AbortSignal {
    return this.outer.signal;
  }

  override charge(requests: number): void {
    this.outer.charge(requests);
  }

  override enterPhase(phase: Phase): void {
    this.outer.enterPhase(phase);
  }

  override recordEncoding(ms: number): void {
    this.outer.recordEncoding(ms);
  }
}
