/** Describes the problem of a value, as text that follows the name of its field. */
export function formatProblem(value: unknown, rule: string): string {
  return value === undefined ? `missing; must be ${rule}` : `${formatValue(value)} must be ${rule}`;
}

const MAX_SHOWN_LENGTH = 60;

function formatValue(value: unknown): string {
  // JSON has neither large integers nor infinite numbers: it would write 1e400 as null.
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
