/** A log that cannot be verified, although nothing it says is wrong. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';

  constructor(
    readonly kind: 'behind' | 'malformed' | 'unsupported',
    message: string,
    readonly url = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
