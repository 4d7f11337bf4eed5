/** Thrown by work whose client has gone, so that the result is not needed. */
export class AbandonedError extends Error {}
