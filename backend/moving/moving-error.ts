/** Thrown when a site cannot be moved; the message is one sentence for the person who asked. */
export class MovingError extends Error {}
