import { expect, test } from 'vitest';
import { EMAIL_PATTERN } from '../../app/ui/lib/email-pattern.ts';
import { EMAIL_PATTERN as BACKEND_PATTERN } from '../../packages/backend/src/http/email-pattern.ts';

test.each([
  ...['kari@example.com', 'R&D@example.com', "o'neil+tag@sub.example.co.uk", 'a.b-c_d@example.com'],
  ...['åse@blåbær.no', 'kari@xn--blbr-roah.no', '李雷@例子.测试', 'post@example.xn--p1ai'],
])('%s is a valid email address', (address) => {
  expect(EMAIL_PATTERN.test(address)).toBe(true);
});

test.each([
  ...['kari', 'kari@', '@example.com', 'kari@example', 'kari@@example.com', 'a b@example.com', 'a..b@example.com'],
  ...[
    '.a@example.com',
    'a.@example.com',
    'a@.com',
    'a@-b.com',
    'a@b..com',
    'a,b@example.com',
    'Kari <kari@example.com>',
  ],
  ...['a"b@example.com', 'a@exa_mple.com', 'a@example.1', 'a\u0007@example.com', 'a@example.com\n'],
])('%s is not a valid email address', (address) => {
  expect(EMAIL_PATTERN.test(address)).toBe(false);
});

test('Pages and backend use the same pattern', () => {
  expect(BACKEND_PATTERN).toEqual(EMAIL_PATTERN);
});
