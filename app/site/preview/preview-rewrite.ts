import type { LocationRewrite } from '@tanstack/react-router';

/** Inside a preview all addresses begin with its own, `base`, which no route knows of. */
export function previewRewrite(base: string): LocationRewrite {
  return {
    input: ({ url }) => {
      if (url.pathname.startsWith(base)) url.pathname = url.pathname.slice(base.length);
      return url;
    },
    output: ({ url }) => {
      url.pathname = base + url.pathname;
      return url;
    },
  };
}
