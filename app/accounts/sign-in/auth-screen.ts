/** Forms of /auth. Switching between them does not leave the page. */
export type AuthScreen = 'sign-in' | 'sign-up' | 'forgot-password' | 'magic-link';
