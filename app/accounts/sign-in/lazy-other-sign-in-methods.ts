import { lazyPiece } from '../../ui/lazy-piece.tsx';
import type { WaysToSignIn } from '../offered-ways.ts';

/** Loads where there are any. */
export const OtherSignInMethods = lazyPiece(async () => ({
  default: (await import('./other-sign-in-methods.tsx')).OtherSignInMethods,
}));

export function hasOthers({ providers, wallets }: WaysToSignIn): boolean {
  return providers.length + wallets.length > 0;
}
