import { retryInterrupted } from '../ledger/retry-interrupted.ts';
import { VerificationError } from '../ledger/verification-error.ts';
import { BUFFER_LIMIT, boundResponse } from './bounded-response.ts';
import { TenorError } from './errors.ts';

/** A response with its whole body, which is requested again if it is interrupted. */
export function bufferResponse(
  open: () => Promise<Response>,
  limit = BUFFER_LIMIT,
): Promise<Response> {
  return retryInterrupted(async () => {
    const response = await open();
    const { url, headers, status } = response;
    try {
      const { body } = boundResponse(response, url, null, limit);
      return new Response(await new Response(body).arrayBuffer(), { headers, status });
    } catch (cause) {
      throw toInterruptedError(response, cause);
    }
  });
}

/** The error of a body that could not be read, unless that says itself what is wrong with it. */
export function toInterruptedError({ url, status }: Response, cause: unknown): unknown {
  if (cause instanceof TenorError || cause instanceof VerificationError) return cause;
  return new TenorError('network', 'the response was interrupted', { url, status }, { cause });
}
