/** What is wrong with a log, or with data that it should prove. */
export type LedgerProblemName =
  | 'no-log'
  | 'unsigned'
  | 'unknown-key'
  | 'restarted'
  | 'shorter'
  | 'forked'
  | 'rewritten'
  | 'damaged-tile'
  | 'missing-entry'
  | 'altered-entry'
  | 'altered-changes'
  | 'altered-data';

/** A log that goes on under another name, after a restored backup or an accepted loss. */
export interface Restart {
  readonly origin: string;
  /** Up to this revision the logs are the same. */
  readonly commonSize: number;
  /** Whether the key of the earlier log has signed it; not if that key was lost. */
  readonly isSigned: boolean;
}

export interface LedgerProblem {
  readonly problem: LedgerProblemName;
  /** A sentence for people. */
  readonly message: string;
  /** Of a problem with one revision. */
  readonly revision?: number;
  /** Of a problem with one dataset. */
  readonly dataset?: string;
  /** Of a log that was begun again. */
  readonly restart?: Restart;
}

const MAX_MESSAGES = 5;

/** An alarm: the service could not prove what it shows. Failed requests are a `TenorError`. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  /** All problems that were found, at least one. */
  readonly problems: readonly LedgerProblem[];

  constructor(problems: readonly LedgerProblem[]) {
    const messages = problems.slice(0, MAX_MESSAGES).map(({ message }) => message);
    const remaining = problems.length - messages.length;
    if (remaining > 0) messages.push(`There are ${remaining} more problems.`);
    super(messages.join('\n'));
    this.problems = problems;
  }
}

export function createAlarm(
  problem: LedgerProblemName,
  message: string,
  subject: Omit<LedgerProblem, 'problem' | 'message'> = {},
): VerificationError {
  return new VerificationError([{ problem, message, ...subject }]);
}
