import { toInterruptedError } from './buffer-response.js';
import { TenorError } from './errors.js';
import { SYSTEM_CLOCK } from './retry.js';
/** The bytes of a body as they come; throws if it is interrupted, or silent for too long. */
export async function* readChunks(response, maxSilenceMs = 60_000) {
    const reader = response.body?.getReader();
    let isSilent = false;
    // A stream that has failed cannot be cancelled.
    const cancel = () => reader?.cancel().catch(() => { });
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
            if (done)
                return;
            yield value;
        }
    }
    catch (cause) {
        throw toInterruptedError(response, cause);
    }
    finally {
        await cancel();
    }
}
