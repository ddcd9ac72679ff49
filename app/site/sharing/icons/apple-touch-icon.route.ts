import { createFileRoute } from '@tanstack/react-router';
import { answerIcon } from './answer-icon.ts';

export const Route = createFileRoute('/apple-touch-icon.png')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerIcon(request, 'image/png', (brand, { drawIconPng, SQUARE }) => drawIconPng(brand, SQUARE, 180)),
    },
  },
});
