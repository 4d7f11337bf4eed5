import type { AnyRecord } from '../catalogue/model/dataset.ts';
import type { ResponseFormatName } from '../catalogue/model/response-format.ts';
import { InvalidFileError } from '../formats/file-contents.ts';
import { RESPONSE_WRITERS } from '../formats/writers.ts';
import type { RecordSource } from './response-layout.ts';
import { createResponseLayout, yieldInChunks } from './response-layout.ts';

/** Thrown where a form cannot hold the records; the message tells what is wrong with them. */
export { InvalidFileError as NotWritable };

/**
 * The records of one answer, given as their JSON texts, in a form other than JSON. Others get
 * their turn while it is made.
 */
export async function* encodeRecords(
  origin: RecordSource,
  name: Exclude<ResponseFormatName, 'json'>,
  texts: readonly string[],
): AsyncGenerator<Uint8Array> {
  if (name === 'ndjson') {
    const encoder = new TextEncoder();
    for await (const step of yieldInChunks(texts)) yield encoder.encode(`${step.join('\n')}\n`);
    return;
  }
  const records: AnyRecord[] = [];
  for await (const step of yieldInChunks(texts)) {
    for (const text of step) records.push(JSON.parse(text));
  }
  const { columns, toRows } = createResponseLayout(origin, records);
  const rows = (async function* () {
    for await (const step of yieldInChunks(records)) yield step.flatMap(toRows);
  })();
  yield* RESPONSE_WRITERS[name]({ title: origin.name, columns, rows });
}
