import 'react';

declare module 'react' {
  /** Allows CSS variables in style attributes. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
