import { createFileRoute } from '@tanstack/react-router';
import { answerIcon } from './answer-icon.ts';

/** Serves clients that request /favicon.ico without reading the page. */
export const Route = createFileRoute('/favicon.ico')({
  server: {
    handlers: { GET: ({ request }) => answerIcon(request, 'image/x-icon', (brand, { drawIco }) => drawIco(brand)) },
  },
});
