/** Thrown by work whose client has gone: its result is not needed any more. */
export class AbandonedError extends Error {}
