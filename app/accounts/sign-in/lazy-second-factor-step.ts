import { lazyPiece } from '../../ui/lazy-piece.tsx';

/** Loads for people who have a second factor: its forms and their rules are as heavy as the rest of signing in. */
export const SecondFactorStep = lazyPiece(async () => ({
  default: (await import('./second-factor-step.tsx')).SecondFactorStep,
}));
