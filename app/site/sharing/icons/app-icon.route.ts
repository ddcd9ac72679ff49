import { createFileRoute } from '@tanstack/react-router';
import { iconResponse } from './icon-response.ts';

const SIZES = new Map([
  ['192.png', 192],
  ['512.png', 512],
  ['maskable.png', 512],
]);

/** Serves the icons of the manifest: /icon/192.png, /icon/512.png and /icon/maskable.png. */
export const Route = createFileRoute('/icon/$name')({
  server: {
    handlers: {
      GET: ({ request, params: { name } }) => {
        const size = SIZES.get(name);
        if (!size) return new Response('Icon not found.', { status: 404 });
        return iconResponse(request, 'image/png', (brand, { drawIconPng, MASKABLE, SQUARE }) =>
          drawIconPng(brand, name === 'maskable.png' ? MASKABLE : SQUARE, size),
        );
      },
    },
  },
});
