"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readLines = readLines;
const errors_ts_1 = require("../errors.js");
const read_chunks_ts_1 = require("../read-chunks.js");
/** The most that a load accepts of a record. */
const MAX_LINE_CHARACTERS = 16_777_216;
/** The lines of a body, without holding all of it as one text. */
async function* readLines(response) {
    const { url, status } = response;
    const decoder = new TextDecoder();
    let tail = '';
    for await (const chunk of (0, read_chunks_ts_1.readChunks)(response)) {
        const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
        tail += end;
        if (tail.length > MAX_LINE_CHARACTERS) {
            const message = `a line of records can have ${MAX_LINE_CHARACTERS.toLocaleString('en-US')} characters at most, and ${url} sends more`;
            throw new errors_ts_1.TenorError('malformed', message, { url, status });
        }
        if (lines.length === 0)
            continue;
        yield tail;
        tail = lines.pop() ?? '';
        yield* lines;
    }
    tail += decoder.decode();
    if (tail !== '')
        yield tail;
}
