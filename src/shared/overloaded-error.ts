/** Thrown if more work is queued than is accepted; a later request may succeed. */
export class OverloadedError extends Error {}
