import { z } from 'zod';
import { EMAIL_PATTERN } from '../../ui/lib/email-pattern.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';

/** The rules of the contact form, in the order in which its first message is shown. */
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

/** Messages of the fields that are refused, in the order of the form. */
export type MessageErrors = Partial<Record<keyof Message, string>>;

/** Reads the fields of the form: its message, or for each field that is refused the first reason. */
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
