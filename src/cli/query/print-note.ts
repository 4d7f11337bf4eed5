/** A line for people, beside the answer. */
export function printNote(text: string): void {
  process.stderr.write(`tenor: ${text}\n`);
}
