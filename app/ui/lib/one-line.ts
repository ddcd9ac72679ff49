import { z } from 'zod';

/**
 * Single-line text. Replaces control characters, which occur in pasted text and are rejected by the database, by
 * spaces.
 */
export const oneLine = z
  .string()
  .overwrite((text) => text.replaceAll(/\p{Cc}+/gu, ' '))
  .trim();
