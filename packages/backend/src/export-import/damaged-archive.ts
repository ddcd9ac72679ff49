import { OperatorError } from '../database/operator-error.ts';

/** Builds the error for an archive that is incomplete or changed. */
export function damagedArchive(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError(`${path} is damaged: ${reason}. Nothing was changed.`, { cause });
}
