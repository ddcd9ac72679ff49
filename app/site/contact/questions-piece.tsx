import { drawnPiece } from '../../ui/drawn-piece.tsx';

/** The section, whose code only pages with questions load. */
export const QuestionsPiece = drawnPiece(() => import('./questions.tsx'));
