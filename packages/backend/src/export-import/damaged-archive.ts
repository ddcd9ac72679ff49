import { Refusal } from '../database/refusal.ts';

/** Builds the error for an archive that is not what was written. */
export function damagedArchive(path: string, why: string, cause?: unknown): Refusal {
  return new Refusal(`${path} is damaged: ${why}. Nothing was changed.`, { cause });
}
