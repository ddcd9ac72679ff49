import type { RefObject } from 'react';

/**
 * Class of the text box: as high as its text. On large screens, its maximum height keeps the buttons around it in view.
 * On phones, only the page scrolls.
 */
export const TEXT_HEIGHT = 'min-h-96 sm:not-low:max-h-[max(24rem,100svh-17rem)]';

export interface RichTextProps {
  title: string;
  value: string;
  onChange: (markdown: string) => void;
  onBlur: () => void;
  /** Receives an object with a focus method. */
  inputRef: (input: { focus: () => void } | null) => void;
  /** Opens the media library. */
  choosePicture: (onPick: (url: string) => void) => void;
}

export interface LoadedProps extends RichTextProps {
  /** Text typed before the editor is loaded. Null unless the preview has the focus, which the editor then takes over. */
  typed: RefObject<string | null>;
}
