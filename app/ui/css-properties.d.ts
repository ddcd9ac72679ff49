import 'react';

declare module 'react' {
  /** The style of an element may set variables for its stylesheet. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
