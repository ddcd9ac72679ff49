/**
 * Widths in pixels of pictures on pages. Visitors without an account get pictures of the built-in storage in these only. The
 * list is short, so that visitors share renditions.
 */
export const PICTURE_WIDTHS = [320, 480, 640, 960, 1280, 1600, 2000, 2400] as const;
