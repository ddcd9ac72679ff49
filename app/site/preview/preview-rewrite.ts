import type { LocationRewrite } from '@tanstack/react-router';

/** Rewrites URLs inside a preview, which start with `base`. Routes do not include `base`. */
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
