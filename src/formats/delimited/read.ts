import type { Input, Row, Table } from '../format.ts';
import { headOf, NotText, textOf } from '../text.ts';
import { delimiterOf, HEAD_CHARACTERS, namedDelimiter } from './delimiter.ts';
import { Records } from './records.ts';

/**
 * The rows of a CSV or TSV file, cells exactly as written. The delimiter of CSV is found by
 * looking, that of TSV is the tab; a first line such as `sep=;` names either. Blank lines are left
 * out. What has no one meaning is refused, by its line: bad bytes, stray quotes, endless lines.
 */
export async function readDelimited(input: Input, format: 'csv' | 'tsv'): Promise<Table> {
  const head = await headOf(input, HEAD_CHARACTERS);
  const named = namedDelimiter(head);
  const delimiter = named ?? (format === 'tsv' ? '\t' : delimiterOf(head));
  const rows = rowsOf(input, new Records(delimiter), named !== undefined);
  return { kind: 'table', place: 'line', delimiter, rows };
}

async function* rowsOf(
  input: Input,
  records: Records,
  isNamed: boolean,
): AsyncGenerator<readonly Row[]> {
  const take = () => {
    const rows = records.take();
    return isNamed && rows[0]?.at === 1 ? rows.slice(1) : rows;
  };
  try {
    for await (const text of textOf(input.bytes())) {
      records.feed(text);
      const rows = take();
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    throw error instanceof NotText ? error.refusal(records.line) : error;
  }
  records.finish();
  const rows = take();
  if (rows.length > 0) yield rows;
}
