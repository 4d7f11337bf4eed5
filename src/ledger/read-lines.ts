import { LedgerError } from './ledger-error.ts';
import type { LogResponse } from './open-path.ts';

/** The most that a load accepts of a record. */
const MAX_LINE_CHARACTERS = 16_777_216;

/** The lines of a body, without holding all of it as one text. */
export async function* readLines({
  chunks,
  url,
}: LogResponse): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    tail += end;
    if (tail.length > MAX_LINE_CHARACTERS) {
      const message = `a line of records can have ${MAX_LINE_CHARACTERS.toLocaleString('en-US')} characters at most, and ${url} sends more`;
      throw new LedgerError('malformed', message, url);
    }
    if (lines.length === 0) continue;
    yield tail;
    tail = lines.pop() ?? '';
    yield* lines;
  }
  tail += decoder.decode();
  if (tail !== '') yield tail;
}
