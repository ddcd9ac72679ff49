import type { RefObject } from 'react';

export interface MergeTextProps {
  title: string;
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
  /** Receives an object with a focus method. */
  inputRef: (input: { focus: () => void } | null) => void;
  /** True if the dialog focuses this field when it opens. */
  hasInitialFocus: boolean;
}

export interface LoadedProps extends MergeTextProps {
  /** True if the text area has the focus, which the editor then takes over. */
  hasFocus: RefObject<boolean>;
}
