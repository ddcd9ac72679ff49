import { z } from 'zod';
import { EMAIL_PATTERN } from '../../ui/lib/email-pattern.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';

/** Validation rules, in the order in which the first error is reported. */
export const contactSchema = z.object({
  name: oneLine.min(1, 'Name is required').max(100, 'Name must be less than 100 characters'),
  email: z
    .string()
    .trim()
    .check(z.email({ pattern: EMAIL_PATTERN, error: 'Invalid email address', abort: true }))
    .max(255, 'Email must be less than 255 characters'),
  message: z.string().trim().min(1, 'Message is required').max(1000, 'Message must be less than 1000 characters'),
});

type Message = z.output<typeof contactSchema>;

/** Error messages by field, in form order. */
export type MessageErrors = Partial<Record<keyof Message, string>>;

/** Validates the form. Returns the message, or the first error of each invalid field. */
export function readMessage(form?: HTMLFormElement): { message?: Message; errors?: MessageErrors } {
  const { data, error } = contactSchema.safeParse(Object.fromEntries(new FormData(form)));
  if (data) return { message: data };
  const errors: MessageErrors = {};
  const { fieldErrors } = z.flattenError(error);
  for (const field of keysOf(contactSchema.shape)) {
    const [message] = fieldErrors[field] ?? [];
    if (message !== undefined) errors[field] = message;
  }
  return { errors };
}
