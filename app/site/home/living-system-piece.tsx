import { drawnPiece } from '../../ui/drawn-piece.tsx';

/** Decoration that no first visit loads code for: only a page that a browser draws by itself fetches it. */
export const LivingSystemPiece = drawnPiece(() => import('./living-system.tsx'), { isStill: () => true });
