/** A line for people, beside the answer. */
export function note(text: string): void {
  process.stderr.write(`tenor: ${text}\n`);
}
