import { appendFileSync } from 'node:fs';

/** Keeps what a test has measured, one JSON line each, in the file that `TENOR_FIGURES` names. */
export function figure(name: string, value: number): void {
  const file = process.env.TENOR_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ name, value: Math.round(value) })}\n`);
}
