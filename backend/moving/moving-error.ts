/** Thrown when a site cannot be moved; the message is one sentence for the person who asked. */
export class MovingError extends Error {}

/** Builds the error for an archive that is not what was written. */
export function damaged(path: string, why: string, cause?: unknown): MovingError {
  return new MovingError(`${path} is damaged: ${why}. Nothing was changed.`, { cause });
}
