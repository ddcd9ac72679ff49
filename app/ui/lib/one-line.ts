import { z } from 'zod';

/**
 * Single-line text. Replaces control characters with spaces, because the database rejects them. They occur in pasted
 * text.
 */
export const oneLine = z
  .string()
  .overwrite((text) => text.replaceAll(/\p{Cc}+/gu, ' '))
  .trim();
