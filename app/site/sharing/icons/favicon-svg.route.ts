import { createFileRoute } from '@tanstack/react-router';
import { answerIcon } from './answer-icon.ts';

export const Route = createFileRoute('/favicon.svg')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerIcon(request, 'image/svg+xml', (brand, { drawIconSvg, ROUNDED }) => drawIconSvg(brand, ROUNDED)),
    },
  },
});
