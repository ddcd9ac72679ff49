import { expect, test } from 'vitest';
import { isMailedPage } from './mailed-page.ts';

test.for([
  '/approve/0f3a',
  '/booking/0f3a?lang=en',
  '/lead/0f3a?answer=not_fit',
  '/result/0f3a',
  '/contact/confirm/0f3a',
  '/newsletter/unsubscribe?token=0f3a',
  '/auth/confirm?token_hash=0f3a&type=invite',
  '/auth/reset-password',
  '/reports/1?from=mail',
  '/auth?back=%2Freports%2F1%3Ffrom%3Dmail',
])('%s is linked in emails', (href) => {
  expect(isMailedPage(href)).toBe(true);
});

test.for([
  '/',
  '/approve',
  '/booking',
  '/lead',
  '/result',
  '/auth',
  '/auth?screen=sign-up',
  '/auth?back=%2Fadmin%2Fposts',
  '/news/approve/x',
  '/reports/1',
  '/?from=mails',
])('%s is not linked in emails', (href) => {
  expect(isMailedPage(href)).toBe(false);
});
