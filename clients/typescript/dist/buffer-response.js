import { TenorError } from './errors.js';
/** The maximum number of requests for a response that is interrupted. */
const MAX_ATTEMPTS = 5;
/** A response with its whole body, which is requested again if it is interrupted. */
export async function bufferResponse(open) {
    for (let attempt = 1;; attempt += 1) {
        const response = await open();
        const { url, headers, status } = response;
        try {
            return new Response(await response.arrayBuffer(), { headers, status });
        }
        catch (cause) {
            if (attempt < MAX_ATTEMPTS)
                continue;
            throw new TenorError('network', 'the response was interrupted', { url }, { cause });
        }
    }
}
