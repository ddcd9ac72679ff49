import { expect, test } from 'vitest';
import { drawCover } from '../../ui/cover-shapes.ts';
import { SIGN_IN_COVER } from './sign-in-cover.ts';

test('The prerendered picture equals the output of drawCover()', () => {
  expect(SIGN_IN_COVER).toBe(drawCover({ slug: 'sign-in' }, 'lighthouse'));
});
