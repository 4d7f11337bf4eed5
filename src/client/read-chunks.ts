import { toInterruptedError } from './buffer-response.ts';
import { TenorError } from './errors.ts';
import { SYSTEM_CLOCK } from './retry.ts';

/** The bytes of a body as they come; throws if it is interrupted, or silent for too long. */
export async function* readChunks(
  response: Response,
  maxSilenceMs = 60_000,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  let isSilent = false;
  // A stream that has failed cannot be cancelled.
  const cancel = () => reader?.cancel().catch(() => {});
  const onTimeout = () => {
    isSilent = true;
    cancel();
  };
  try {
    while (reader) {
      const stopTimer = SYSTEM_CLOCK.startTimer(maxSilenceMs, onTimeout);
      const { done, value } = await reader.read().finally(stopTimer);
      if (isSilent)
        throw new TenorError('timeout', `nothing was sent within ${maxSilenceMs} ms`, response);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw toInterruptedError(response, cause);
  } finally {
    await cancel();
  }
}
