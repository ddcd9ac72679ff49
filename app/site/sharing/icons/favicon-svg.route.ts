import { createFileRoute } from '@tanstack/react-router';
import { iconResponse } from './icon-response.ts';

export const Route = createFileRoute('/favicon.svg')({
  server: {
    handlers: {
      GET: ({ request }) =>
        iconResponse(request, 'image/svg+xml', (brand, { drawIconSvg, ROUNDED }) => drawIconSvg(brand, ROUNDED)),
    },
  },
});
