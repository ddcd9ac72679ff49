import { createFileRoute } from '@tanstack/react-router';
import { answerIcon } from './answer-icon.ts';

/** Answers clients that ask for this address without reading a page. */
export const Route = createFileRoute('/favicon.ico')({
  server: {
    handlers: { GET: ({ request }) => answerIcon(request, 'image/x-icon', (brand, { drawIco }) => drawIco(brand)) },
  },
});
