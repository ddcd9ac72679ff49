/**
 * The widths, in pixels, in which pages ask for pictures of the library, and the only ones in which the storage of the
 * built-in backend draws them for whoever has no account. Few, so that visitors share what was drawn for the first of them.
 */
export const PICTURE_WIDTHS = [320, 480, 640, 960, 1280, 1600, 2000, 2400] as const;
