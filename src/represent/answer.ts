import type { AnyRecord } from '../catalogue/dataset.ts';
import type { RepresentationName } from '../catalogue/representation.ts';
import { FileRefused } from '../formats/format.ts';
import { answerWriters } from '../formats/writers.ts';
import type { Origin } from './table.ts';
import { answerForm, inSteps } from './table.ts';

/** Thrown where a form cannot hold the records; the message tells what is wrong with them. */
export { FileRefused as NotWritable };

/**
 * The records of one answer, given as their JSON texts, in a form other than JSON. Others get
 * their turn while it is made.
 */
export async function* represented(
  origin: Origin,
  name: Exclude<RepresentationName, 'json'>,
  texts: readonly string[],
): AsyncGenerator<Uint8Array> {
  if (name === 'ndjson') {
    const encoder = new TextEncoder();
    for await (const step of inSteps(texts)) yield encoder.encode(`${step.join('\n')}\n`);
    return;
  }
  const records: AnyRecord[] = [];
  for await (const step of inSteps(texts)) {
    for (const text of step) records.push(JSON.parse(text));
  }
  const { columns, rowsOf } = answerForm(origin, records);
  const rows = (async function* () {
    for await (const step of inSteps(records)) yield step.flatMap(rowsOf);
  })();
  yield* answerWriters[name]({ title: origin.name, columns, rows });
}
