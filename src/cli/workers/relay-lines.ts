const NEW_LINE = 10;

/**
 * Passes on what a process logs, in whole lines only: several of them write to one place, and a
 * line must not begin within another. Half a line, of a process that was killed, is left out.
 */
export async function relayLines(
  from: AsyncIterable<Uint8Array>,
  write: (lines: Uint8Array) => unknown,
): Promise<void> {
  let held: Uint8Array[] = [];
  for await (const chunk of from) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) {
      held.push(chunk);
      continue;
    }
    const whole = chunk.subarray(0, end);
    write(held.length === 0 ? whole : Buffer.concat([...held, whole]));
    held = end === chunk.length ? [] : [chunk.subarray(end)];
  }
}
