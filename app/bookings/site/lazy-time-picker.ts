import { lazyPiece } from '../../ui/lazy-piece.tsx';

/** Loads when a time is chosen: most who open the page look at it only. */
export const LazyTimePicker = lazyPiece(async () => ({
  default: (await import('../time-picker.tsx')).TimePicker,
}));
