import { TenorError } from './errors.js';
import { readChunks } from './read-chunks.js';
const MAX_EVENT_CHARACTERS = 4_194_304;
/**
 * The data of each event `revision` of a stream of events. Ends with the stream; throws a
 * `TenorError` of the kind `network` if it breaks off, or is silent for too long.
 */
export async function* parseEvents(response, maxSilenceMs) {
    const { url } = response;
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of readChunks(response, maxSilenceMs)) {
        const events = (text + decoder.decode(chunk, { stream: true }))
            .replaceAll('\r\n', '\n')
            .split('\n\n');
        text = events.pop() ?? '';
        if (text.length > MAX_EVENT_CHARACTERS)
            throw new TenorError('malformed', `${url} sends an event without end`, { url });
        for (const event of events) {
            const lines = event.split('\n');
            const data = lines.filter((line) => line.startsWith('data:'));
            if (!lines.some((line) => /^event: ?revision$/.test(line)) || data.length === 0)
                continue;
            yield data.map((line) => line.replace(/^data: ?/, '')).join('\n');
        }
    }
}
