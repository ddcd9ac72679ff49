import { z } from 'zod';

/**
 * Field of a text in one line. Control characters, which people paste unseen from slides and spreadsheets, become spaces:
 * the database refuses them.
 */
export const oneLine = z
  .string()
  .overwrite((text) => text.replaceAll(/\p{Cc}+/gu, ' '))
  .trim();
