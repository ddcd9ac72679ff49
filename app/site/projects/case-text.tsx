import { drawnPiece } from '../../ui/drawn-piece.tsx';

/** A story as Markdown, whose code only opened cases load. */
export const CaseText = drawnPiece(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }), {
  Loading: () => <p className="text-muted">Loading...</p>,
});
