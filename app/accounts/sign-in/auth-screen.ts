/** Forms on /auth. Switching between forms does not leave the page. */
export type AuthScreen = 'sign-in' | 'sign-up' | 'forgot-password' | 'magic-link';
