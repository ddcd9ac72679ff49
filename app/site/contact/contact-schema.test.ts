import { expect, test } from 'vitest';
import { contactSchema } from './contact-schema.ts';

const valid = { name: 'Kari', email: 'kari@example.com', message: 'Hello' };

function firstMessage(fields: Partial<typeof valid>) {
  return contactSchema.safeParse({ ...valid, ...fields }).error?.issues[0]?.message;
}

test.each([
  [{ name: '   ' }, 'Name is required'],
  [{ name: 'a'.repeat(101) }, 'Name must be less than 100 characters'],
  [{ email: '' }, 'Invalid email address'],
  [{ email: 'kari@' }, 'Invalid email address'],
  [
    { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.com` },
    'Email must be less than 255 characters',
  ],
  [{ message: '\n ' }, 'Message is required'],
  [{ message: 'a'.repeat(1001) }, 'Message must be less than 1000 characters'],
])('Rejects %j: %s', (fields, message) => {
  expect(firstMessage(fields)).toBe(message);
});

test('Trims fields and accepts the maximum lengths', () => {
  const fields = { name: ` ${'a'.repeat(100)} `, email: ' kari@example.com ', message: 'a'.repeat(1000) };
  expect(contactSchema.parse(fields)).toEqual({
    name: 'a'.repeat(100),
    email: 'kari@example.com',
    message: 'a'.repeat(1000),
  });
});

test('Reports the error of the first invalid field first', () => {
  expect(firstMessage({ name: '', email: '', message: '' })).toBe('Name is required');
});
