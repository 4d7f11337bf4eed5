import { decodeText, TextDecodingError } from './decode-text.ts';
import { type FileInput, InvalidFileError } from './file-contents.ts';

/**
 * The lines of a text file in batches, without line ends but including blank lines, with the number of the
 * first line of each batch; `assertLength` gets an unfinished line.
 */
export async function* readLineBatches(
  input: FileInput,
  assertLength: (text: string, position: number) => void,
): AsyncGenerator<{ readonly position: number; readonly texts: readonly string[] }> {
  let position = 1;
  let buffered = '';
  try {
    for await (const chunk of decodeText(input)) {
      const texts = chunk.split('\n');
      texts[0] = buffered + texts[0];
      buffered = texts.pop() ?? '';
      yield { position, texts };
      position += texts.length;
      assertLength(buffered, position);
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(position) : error;
  }
  if (buffered !== '') yield { position, texts: [buffered] };
}

/** The limit for a line, or for a text that is read at once. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** The lines of a text file without line ends but including blank lines. */
export async function* readLines(input: FileInput) {
  for await (const { position, texts } of readLineBatches(input, assertLineLength))
    for (const [index, text] of texts.entries())
      yield { position: position + index, text: text.replace(/\r$/, '') };
}

function assertLineLength(text: string, position: number): void {
  if (text.length > MAX_CHARACTERS)
    throw new InvalidFileError(`has more than 16 Mi characters on line ${position}`);
}

/** The complete text of a small file. */
export async function readText(input: FileInput): Promise<string> {
  let text = '';
  try {
    for await (const chunk of decodeText(input)) {
      text += chunk;
      if (text.length > MAX_CHARACTERS)
        throw new InvalidFileError('has more than 16 Mi characters; read it by rows or lines');
    }
  } catch (error) {
    if (!(error instanceof TextDecodingError)) throw error;
    throw error.toInvalidFileError(text.split('\n').length);
  }
  return text;
}
