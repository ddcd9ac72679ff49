import { createFileRoute } from '@tanstack/react-router';
import { iconResponse } from './icon-response.ts';

/** Serves clients that request /favicon.ico without reading the page. */
export const Route = createFileRoute('/favicon.ico')({
  server: {
    handlers: { GET: ({ request }) => iconResponse(request, 'image/x-icon', (brand, { drawIco }) => drawIco(brand)) },
  },
});
