/**
 * Brand colours and mark for code that cannot read the tokens of app.css: pictures, icons, the manifest, emails,
 * scripts on other sites. A test compares them with the tokens and their copies.
 */

/** Light theme tokens as sRGB. */
export const LIGHT = {
  canvas: '#f8f6ef',
  surface: '#fefdfa',
  ink: '#13221d',
  muted: '#4a5a53',
  line: '#dbd8ce',
  accent: '#0a6247',
  onAccent: '#fcfaf1',
  signal: '#b73d10',
} as const;

/** Cover colours of the light theme, as in the tokens --art-*. */
export const ART = {
  sky: '#ebe9d8',
  far: '#b0ccbe',
  mid: '#61927e',
  near: '#114738',
  arc: '#4c816d',
  line: '#fcfaf1',
  sun: '#ee7746',
} as const;

/** Dark theme tokens as sRGB. */
export const DARK = {
  canvas: '#08110e',
  surface: '#0f1b17',
  ink: '#eef2e9',
  muted: '#a4b3a9',
  line: '#24332d',
  signal: '#fb9a66',
} as const;

/** Accent tokens of the dark theme. Not in DARK, which every public page loads. */
export const DARK_ACCENT = {
  accent: '#60eaaa',
  onAccent: '#001b11',
} as const;

/** The mark on a 32 × 32 grid: a wave with round ends, stroked 3.4 wide, and a sun above its trough. */
export const MARK = {
  wave: 'M2.25 18a6.9 6.9 0 0 1 13.75 0 6.9 6.9 0 0 0 13.75 0',
  sun: { cx: 22.9, cy: 11.4, r: 3.5 },
} as const;
