/** Thrown by work whose client has gone: its result is not needed any more. */
export class AbandonedError extends Error {}

/** Thrown where there is more to do than is waited for; a later request may find it done. */
export class OverloadedError extends Error {}
