import type { WaysToSignIn } from '../data/accounts/offered-ways.ts';
import { lazyPiece } from '../ui/lazy-piece.tsx';

/** Loads where there are any. */
export const OtherSignInMethods = lazyPiece(async () => ({
  default: (await import('./other-sign-in-methods.tsx')).OtherSignInMethods,
}));

export function hasOthers({ providers, wallets }: WaysToSignIn): boolean {
  return providers.length + wallets.length > 0;
}
