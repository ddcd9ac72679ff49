import { join } from 'node:path';

/** Folder of the pictures, with a folder in it for each look. */
export const PICTURES = join(import.meta.dirname, '..', '..', 'look');

export const LOOKS = [390, 834, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ name: `${width}-${theme}`, width, theme })),
);
