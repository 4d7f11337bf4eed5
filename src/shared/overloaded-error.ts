/** Thrown where there is more to do than is waited for; a later request may find it done. */
export class OverloadedError extends Error {}
