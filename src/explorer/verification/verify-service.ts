import type { OpenPath } from '../../ledger/open-path.ts';
import { type LedgerProblem, VerificationError } from '../../ledger/verification-error.ts';
import { type VerifierState, verifyLog } from '../../ledger/verify-log.ts';

/** The outcome of a verification, as shown on the page. */
export interface ServiceVerification {
  /** Revisions up to this one are verified; 0 if none are. */
  readonly size: number;
  /** Why a later revision is not verified. */
  readonly reason: string;
  readonly explanation?: string;
  /** Texts to copy and keep. */
  readonly copies?: Readonly<Record<string, string>>;
  readonly alarm?: LedgerAlarm;
  /** The milliseconds after which to verify again; undefined to wait for the next revision. */
  readonly retryMs?: number;
}

interface LedgerAlarm {
  readonly title: string;
  readonly message: string;
  /** The consequence of continuing, and the button for it. */
  readonly consequence: string;
  readonly label: string;
  /** The log to accept; undefined to forget the kept checkpoint. */
  readonly restartedAs?: string;
  readonly proceed?: () => void;
}

export interface VerifiedService {
  readonly open: OpenPath;
  readonly revision: number;
  /** The state that the browser keeps between verifications. */
  readonly stored: { get(): string | undefined; set(value: string): void };
  readonly previous: ServiceVerification | undefined;
  readonly acceptRestart: string | undefined;
  formatInstant(instant: string): string;
}

/** The last verified checkpoint, and the first one since which the log has only grown. */
interface KeptState extends VerifierState {
  readonly firstSeenAt: string;
  readonly firstSize: number;
}

const FIRST_RETRY_MS = 5_000;

/** Compares the log of a service with the kept checkpoint, and keeps the new one. */
export async function verifyService(service: VerifiedService): Promise<ServiceVerification> {
  const { open, stored, previous, revision, acceptRestart, formatInstant } = service;
  const keptState = parseKept(stored.get());
  const retryMs = 2 * (previous?.retryMs ?? FIRST_RETRY_MS / 2);
  try {
    const { state } = await verifyLog(open, { state: keptState, acceptRestart });
    const { size, origin, root, key, checkpoint, verifiedAt } = state;
    const seen =
      keptState?.origin === origin ? keptState : { firstSeenAt: verifiedAt, firstSize: size };
    const { firstSeenAt, firstSize } = seen;
    stored.set(JSON.stringify({ ...state, firstSeenAt, firstSize } satisfies KeptState));
    const added = size - firstSize;
    return {
      size,
      reason: 'not in the log yet',
      explanation: `The log ${origin} of ${size} revisions is signed, and has only grown since this browser first saw it: first seen ${formatInstant(firstSeenAt)}, ${added} ${added === 1 ? 'revision' : 'revisions'} verified since. Compare its key with the one that the publisher has announced, and keep the checkpoint, which proves later what has been published so far. To verify the records as well, run tenor verify.`,
      copies: { 'Root hash': root, Key: key, Checkpoint: checkpoint },
      ...(size < revision && { retryMs }),
    };
  } catch (cause) {
    const [problem] = cause instanceof VerificationError ? cause.problems : [];
    if (problem && (keptState || problem.problem !== 'no-log')) {
      const copies = keptState ? { 'Previous checkpoint': keptState.checkpoint } : {};
      return { size: 0, reason: 'not verified', copies, alarm: createAlarm(problem, keptState) };
    }
    const failure = { size: 0, ...previous, reason: `not verified: ${explain(cause, problem)}` };
    return problem || isUnsupported(cause) ? failure : { ...failure, retryMs };
  }
}

function parseKept(text = 'null'): KeptState | undefined {
  try {
    const keptState = JSON.parse(text) as KeptState | null;
    return keptState?.size ? keptState : undefined;
  } catch {
    return undefined;
  }
}

function createAlarm({ message, restart }: LedgerProblem, keptState?: KeptState): LedgerAlarm {
  if (!restart) {
    return {
      title: keptState ? 'The history of this service was rewritten:' : 'The log proves nothing:',
      message: `${message} Do not rely on this page until the publisher has explained it.`,
      consequence:
        'Send the publisher the checkpoint that this browser has kept: it shows what was published. Forget it only if you know the reason, such as a database that you have replaced yourself: after that, this browser can no longer detect what was rewritten.',
      label: 'Forget the previous checkpoint',
    };
  }
  const { origin, commonSize, isSigned } = restart;
  return {
    title: `The log of this service was restarted as ${origin} (last common revision ${commonSize}).`,
    message: isSigned
      ? 'The publisher has signed that, as after a restored backup. Ask for the reason.'
      : 'No earlier key has signed that, so anyone may have done it. Ask the publisher.',
    consequence: `Revisions after ${commonSize} that you have seen may be gone or different now. If you accept that, the page will verify the new log from now on.`,
    label: `Accept ${origin}`,
    restartedAs: origin,
  };
}

function isUnsupported(cause: unknown): boolean {
  return (cause as { kind?: unknown }).kind === 'unsupported';
}

function explain(cause: unknown, problem: LedgerProblem | undefined): string {
  if (problem) return 'the service has no log yet';
  if ((cause as { kind?: unknown }).kind === 'behind')
    return 'the service is behind the verified revisions';
  if (!isUnsupported(cause)) return 'the service does not send its log';
  if (globalThis.crypto?.subtle) return 'this browser cannot verify signatures';
  return 'this page was not opened over HTTPS';
}
