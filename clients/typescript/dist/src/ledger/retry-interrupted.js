/** The maximum number of requests for a response that is interrupted. */
const MAX_ATTEMPTS = 5;
/** Reads a response again if it is interrupted. */
export async function retryInterrupted(read) {
    for (let attempt = 1;; attempt += 1) {
        try {
            return await read();
        }
        catch (cause) {
            // Without a status there was no response: the request has been tried again already.
            const { kind, status } = cause;
            if (kind !== 'network' || status === undefined || attempt >= MAX_ATTEMPTS)
                throw cause;
        }
    }
}
