/** Thrown by work whose client has gone, so that nobody needs the result. */
export class AbandonedError extends Error {}
