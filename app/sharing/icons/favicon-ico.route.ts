import { createFileRoute } from '@tanstack/react-router';
import { answerIcon } from './answer-icon.ts';

/** What clients ask for that read no page. */
export const Route = createFileRoute('/favicon.ico')({
  server: {
    handlers: { GET: ({ request }) => answerIcon(request, 'image/x-icon', (brand, { drawIco }) => drawIco(brand)) },
  },
});
