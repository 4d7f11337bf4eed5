/** The message of an error, and where it was thrown: the stacks of some have no message, or are empty. */
export function formatCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { name, message, stack = '' } = cause;
  return stack !== '' && stack.includes(message) ? stack : `${name}: ${message}\n${stack}`.trim();
}
