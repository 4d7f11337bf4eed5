/** Writes to standard output, and waits while whoever reads has enough. */
export async function writeStdout(chunk: string | Uint8Array): Promise<void> {
  const { stdout } = process;
  if (stdout.write(chunk)) return;
  await new Promise((resolve) => stdout.once('drain', resolve));
}
