import { decodeText, TextDecodingError } from './decode-text.ts';
import { type FileInput, InvalidFileError } from './file-contents.ts';

/** A line of a text file, without its end. */
export interface TextLine {
  readonly position: number;
  readonly text: string;
}

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The lines of a text file, blank ones too. */
export async function* readLines(input: FileInput): AsyncGenerator<TextLine> {
  let position = 1;
  let buffered = '';
  try {
    for await (const chunk of decodeText(input)) {
      const lines = chunk.split('\n');
      lines[0] = buffered + lines[0];
      buffered = lines.pop() ?? '';
      for (const line of lines) yield { position: position++, text: line.replace(/\r$/, '') };
      if (buffered.length > MAX_LINE_CHARACTERS)
        throw new InvalidFileError(`has more than 16 Mi characters on line ${position}`);
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(position) : error;
  }
  if (buffered !== '') yield { position, text: buffered.replace(/\r$/, '') };
}

const MAX_TEXT_CHARACTERS = 16 * 1024 * 1024;

/** The whole text of a file that is not large. */
export async function readText(input: FileInput): Promise<string> {
  let text = '';
  try {
    for await (const chunk of decodeText(input)) {
      text += chunk;
      if (text.length > MAX_TEXT_CHARACTERS)
        throw new InvalidFileError('has more than 16 Mi characters; read it by rows or lines');
    }
  } catch (error) {
    if (!(error instanceof TextDecodingError)) throw error;
    throw error.toInvalidFileError(text.split('\n').length);
  }
  return text;
}
