import { createFileRoute } from '@tanstack/react-router';
import { iconResponse } from './icon-response.ts';

export const Route = createFileRoute('/apple-touch-icon.png')({
  server: {
    handlers: {
      GET: ({ request }) =>
        iconResponse(request, 'image/png', (brand, { drawIconPng, SQUARE }) => drawIconPng(brand, SQUARE, 180)),
    },
  },
});
